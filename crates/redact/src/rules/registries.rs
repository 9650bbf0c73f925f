//! Registries of packages and images.

use crate::check::Check;
use crate::rule::{Rule, token};

pub(super) const RULES: &[Rule] = &[
    token("npm-access-token", &["npm_"], r"npm_<b62>{36}").checked(Check::GitHub),
    token("npmrc-auth-line", &[":_authToken"], r"(?i):_authToken\s*=\s*[\x22']?([^\s\x22'$]{8,})"),
    token("pypi-token", &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"], r"pypi-AgE<url>{50,}"),
    token("pypirc-password", &["[pypi]"], r"(?i)\[pypi\].{0,200}?password\s*[=:]\s*([^\s\x22'\\]{8,})").likely(),
    token("cargo-registry-token", &["cio"], r"cio<b62>{32}").checked(Check::Mixed),
    token("rubygems-api-key", &["rubygems_"], r"rubygems_<hex>{48}"),
    token("nuget-api-key", &["oy2"], r"oy2<low>{43}"),
    token("clojars-token", &["CLOJARS_"], r"CLOJARS_<low>{60}"),
    token("dockerhub-pat", &["dckr_pat_"], r"dckr_pat_<url>{27}"),
    token("dockerhub-oat", &["dckr_oat_"], r"dckr_oat_<url>{32}"),
    token("docker-config-auth", &["\"auth\""], r#""auth"\s*:\s*"(<b64>{8,}={0,2})""#).checked(Check::Pair),
    token("artifactory-api-key", &["AKCp"], r"AKCp<b62>{69}"),
    token("artifactory-reference-token", &["cmVmd"], r"cmVmd<b62>{59}"),
];
