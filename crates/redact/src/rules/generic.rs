//! Keys, tokens and passwords that belong to no single provider.

use crate::check::Check;
use crate::rule::{Rule, Shape, marked, near, special, token};

/// Private keys. They come first, because what they contain is not to be named by another rule.
pub(super) const BLOCKS: &[Rule] = &[
    special("gcp-service-account-private-key", &["-----BEGIN PRIVATE KEY"], Shape::Block).called("private-key"),
    special("ssh-openssh-private-key", &["-----BEGIN OPENSSH PRIVATE KEY"], Shape::Block).called("private-key"),
    special("rsa-private-key", &["-----BEGIN RSA PRIVATE KEY"], Shape::Block).called("private-key"),
    special("ec-private-key", &["-----BEGIN EC PRIVATE KEY"], Shape::Block).called("private-key"),
    special("dsa-private-key", &["-----BEGIN DSA PRIVATE KEY"], Shape::Block).called("private-key"),
    special("pkcs8-private-key", &["-----BEGIN PRIVATE KEY"], Shape::Block).called("private-key"),
    special("pkcs8-encrypted-private-key", &["-----BEGIN ENCRYPTED PRIVATE KEY"], Shape::Block).called("private-key"),
    special("pgp-private-key", &["-----BEGIN PGP PRIVATE KEY BLOCK"], Shape::Block).called("private-key"),
    special("putty-private-key", &["PuTTY-User-Key-File-"], Shape::Block).called("private-key"),
];

pub(super) const RULES: &[Rule] = &[
    near("wireguard-private-key", &["privatekey"], r"<b64>{43}="),
    special(
        "jwk-private",
        &["\"kty\""],
        Shape::Members { pattern: r#""(?:d|p|q|dp|dq|qi|k)"\s*:\s*"(<url>{20,})""#, reach: 4000, within_braces: true },
    ),
    token("jwt", &["eyJ"], r"eyJ<url>{14,512}\.eyJ<url>{14,4096}\.<url>{10,1024}"),
    special("postgres-connection", &["postgres://", "postgresql://"], Shape::Url).called("password"),
    special("mysql-connection", &["mysql://", "mariadb://"], Shape::Url).called("password"),
    special("mongodb-connection", &["mongodb://", "mongodb+srv://"], Shape::Url).called("password"),
    special("redis-connection", &["redis://", "rediss://"], Shape::Url).called("password"),
    special("amqp-connection", &["amqp://", "amqps://"], Shape::Url).called("password"),
    special("smtp-connection", &["smtp://", "smtps://"], Shape::Url).called("password"),
    special("url-basic-auth", &["://"], Shape::Url).called("password"),
    token(
        "mssql-connection",
        &["server=", "data source="],
        r"(?i)(?:server|data source)=[^\x22'\n]{1,200}?;\s*(?:password|pwd)=([^;\x22'\s]{3,128})",
    )
    .likely()
    .called("password"),
    token(
        "authorization-bearer",
        &["authorization"],
        r"(?i)authorization[\x22']?\s*[:=]\s*[\x22']?bearer\s+([0-9A-Za-z._~+/=-]{8,})",
    )
    .likely()
    .called("bearer-token"),
    token("authorization-bearer", &["bearer "], r"(?i)bearer\s+([0-9A-Za-z._~+/=-]{20,})")
        .likely()
        .called("bearer-token")
        .checked(Check::Mixed),
    token(
        "authorization-basic",
        &["authorization"],
        r"(?i)authorization[\x22']?\s*[:=]\s*[\x22']?basic\s+([0-9A-Za-z+/]{8,}={0,2})",
    )
    .likely()
    .called("basic-auth")
    .checked(Check::Pair),
    token("x-api-key-header", &["x-api-key"], r"(?i)x-api-key[\x22']?\s*[:=]\s*[\x22']?([^\s\x22'\\,;&<>]{8,})")
        .likely()
        .called("api-key")
        .checked(Check::Strong),
    token(
        "session-cookie",
        &["cookie"],
        r"(?i)cookie[\x22']?\s*[:=]\s*[\x22']?[^\n\x22']{0,300}?(?:session|sess|sid|auth|token)[0-9a-z_.-]{0,30}=([^;\s\x22',]{16,})",
    )
    .likely()
    .checked(Check::Strong),
    token(
        "curl-user-password",
        &["curl "],
        r"(?i)curl\s[^\n|;]{0,300}?(?:-u|--user)[\s=]+[\x22']?[^\s:\x22'$]{1,64}:([^\s\x22']{3,})",
    )
    .likely()
    .called("password"),
    token("kubeconfig-token", &["users:"], r"(?i)users:.{0,400}?token:\s*[\x22']?([0-9A-Za-z_.-]{16,})").likely(),
    token("kubeconfig-client-key", &["client-key-data"], r"client-key-data[\x22']?:\s*[\x22']?(LS0tLS1CRUdJTi<b64>{20,}={0,2})"),
    special(
        "kubernetes-secret-yaml",
        &["kind: secret", "kind\": \"secret\"", "kind\":\"secret\""],
        Shape::Members { pattern: r#"[0-9A-Za-z_.-]+"?:\s*"?(<b64>{10,4000}={0,2})"#, reach: 2000, within_braces: false },
    )
    .likely()
    .checked(Check::Base64Text),
    token("netrc-line", &["machine "], r"machine\s+[^\s]{1,200}?\s*login\s+[^\s]{1,100}?\s*password\s+([^\s\x22']{3,})")
        .likely()
        .called("password"),
    marked("pgpass-line", &[":5432:"], 100, r"[0-9A-Za-z.*_-]{1,99}:5432:[^:\s\x22']{1,63}:[^:\s\x22']{1,63}:([^\s:\x22'\\]{3,})")
        .likely()
        .called("password"),
    special(
        "env-password-assignment",
        &["password", "passwd", "passphrase", "pwd", "passcode", "_pass", "pgpass", "identified by"],
        Shape::Telling,
    )
    .likely()
    .called("password"),
    special(
        "env-secret-assignment",
        &[
            "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "access-key", "private_key",
            "privatekey", "private-key", "auth_key", "authkey", "signing_key", "encryption_key", "master_key",
            "account_key", "credential", "authorization", "_auth", "client_key", "service_key", "webhook_key", "license_key",
        ],
        Shape::Telling,
    )
    .likely()
    .called("secret"),
];
