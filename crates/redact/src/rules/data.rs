//! Databases.

use crate::rule::{Rule, near, token};

pub(super) const RULES: &[Rule] = &[
    token("planetscale-password", &["pscale_pw_"], r"pscale_pw_[0-9A-Za-z_.=-]{32,64}"),
    token("planetscale-token", &["pscale_tkn_"], r"pscale_tkn_[0-9A-Za-z_.=-]{32,64}"),
    token("planetscale-oauth", &["pscale_oauth_"], r"pscale_oauth_[0-9A-Za-z_.=-]{32,64}"),
    token("neon-api-key", &["napi_"], r"napi_<low>{60,70}"),
    token("neon-db-password", &["npg_"], r"npg_<b62>{12}"),
    token("mongodb-atlas-service-account", &["mdb_sa_sk_"], r"mdb_sa_sk_<url>{40}"),
    near("mongodb-atlas-private-key", &["mongodb", "atlas", "private key", "private_key"], r"<uuid>"),
    token("databricks-token", &["dapi"], r"dapi<hex>{32}(?:-[0-9])?"),
    token("databricks-oauth-secret", &["dose"], r"dose<hex>{32}"),
    token(
        "snowflake-password",
        &["snowflake_password", "snowflake password"],
        r"(?i)snowflake[_ ]password[\x22']?\s*[=:]\s*[\x22']?([^\s\x22'<>{}$\\]{8,64})",
    )
    .likely(),
];
