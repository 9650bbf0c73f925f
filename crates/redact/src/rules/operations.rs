//! Monitoring, secrets stores and infrastructure.

use crate::rule::{Rule, marked, near, token};

pub(super) const RULES: &[Rule] = &[
    near("datadog-api-key", &["datadog", "dd_api_key", "dd-api-key"], r"<hex>{32}"),
    near("datadog-app-key", &["datadog", "dd_app_key", "dd-application-key"], r"<hex>{40}"),
    token("newrelic-user-key", &["NRAK-"], r"NRAK-<up>{27}"),
    token("newrelic-insert-key", &["NRII-"], r"NRII-<url>{32}"),
    token("newrelic-browser-key", &["NRJS-"], r"NRJS-<hex>{19}"),
    marked("newrelic-license-key", &["NRAL"], 36, r"<hex>{36}NRAL"),
    token("grafana-service-account-token", &["glsa_"], r"glsa_<b62>{32}_[0-9a-fA-F]{8}"),
    token("grafana-cloud-token", &["glc_"], r"glc_<b64>{60,400}={0,2}"),
    token("grafana-legacy-api-key", &["eyJrIjoi"], r"eyJrIjoi<b64>{62,400}={0,2}"),
    token("sentry-org-token", &["sntrys_eyJ"], r"sntrys_eyJ<b64>{20,400}={0,2}_<b64>{43}"),
    token("sentry-user-token", &["sntryu_"], r"sntryu_<hex>{64}"),
    near("sentry-legacy-token", &["sentry"], r"<hex>{64}"),
    near("pagerduty-api-key", &["pagerduty", "pager_duty"], r"[0-9A-Za-z_+-]{20}"),
    near("pagerduty-routing-key", &["pagerduty", "routing_key"], r"<low>{32}"),
    token("dynatrace-token", &["dt0c01."], r"dt0c01\.<up>{24}\.<up>{64}"),
    token("infracost-key", &["ico-"], r"ico-<b62>{32}"),
    token("vault-service-token", &["hvs."], r"hvs\.<url>{80,}"),
    token("vault-batch-token", &["hvb."], r"hvb\.<url>{130,}"),
    near("vault-legacy-token", &["vault"], r"s\.<b62>{24}"),
    token("doppler-personal-token", &["dp.pt."], r"dp\.pt\.<b62>{43}"),
    token(
        "doppler-service-token",
        &["dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        r"dp\.(?:st|ct|sa|scim|audit)\.(?:[0-9a-z_-]{2,35}\.)?<b62>{40,44}",
    ),
    token("onepassword-secret-key", &["A3-"], r"A3-<up>{6}-(?:<up>{11}|<up>{6}-<up>{5})-<up>{5}-<up>{5}-<up>{5}"),
    token("onepassword-service-account", &["ops_eyJ"], r"ops_eyJ<b64>{240,}={0,3}"),
    token("age-secret-key", &["AGE-SECRET-KEY-1"], r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
];
