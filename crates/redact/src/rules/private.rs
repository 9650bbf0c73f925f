//! Private things that are no secrets.

use crate::check::Check;
use crate::rule::{Category, Rule, Shape, special, token};

pub(super) const RULES: &[Rule] = &[
    special("home-directory", &["/home/", "/users/", "\\users\\", "-home-", "-users-"], Shape::Home)
        .of(Category::User)
        .called("user"),
    special("email-address", &["@"], Shape::Email).of(Category::Email).called("person"),
    special("host-name", &[".local", ".lan", ".internal", ".corp", ".intranet", ".home.arpa"], Shape::Host)
        .of(Category::Host)
        .called("host"),
    special("ip-address", &[], Shape::Address).of(Category::Ip).called("ip"),
    token(
        "account-id",
        &["organization", "organisation", "account", "owner", "orgid", "org_id", "orguuid", "userid", "user_id"],
        r"(?i)(?:anthropic-)?(?:organi[sz]ation|owneraccount|ownerorg(?:anization)?|owneruser|owner|account|org|user)[_-]?(?:uuid|id)[\x22']?\s*[:=]\s*[\x22']?(<uuid>|org-[0-9A-Za-z]{20,32}|org_[0-9A-Za-z]{20,32}|user_[0-9A-Za-z]{20,80}|<hex>{64})",
    )
    .of(Category::Account)
    .called("account")
    .checked(Check::AnyText),
    token(
        "account-name",
        &["organizationname", "organization_name"],
        r"(?i)organization_?name\x22\s*:\s*\x22([^\x22\\]{2,80})",
    )
    .of(Category::Account)
    .called("account")
    .checked(Check::AnyText),
];
