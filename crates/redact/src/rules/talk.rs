//! Chats, calls and mail.

use crate::check::Check;
use crate::rule::{Rule, marked, near, token};

pub(super) const RULES: &[Rule] = &[
    token("slack-bot-token", &["xoxb-"], r"xoxb-[0-9]{10,13}-[0-9]{10,13}-<b62>{24}"),
    token("slack-legacy-bot-token", &["xoxb-"], r"xoxb-[0-9]{8,14}-<b62>{18,26}"),
    token("slack-config-access-token", &["xoxe.xoxp-", "xoxe.xoxb-"], r"xoxe\.xox[pb]-[0-9]-<b62>{140,190}"),
    token("slack-user-token", &["xoxp-"], r"xoxp-(?:[0-9]{10,13}-){3}<b62>{28,34}"),
    token("slack-app-token", &["xapp-"], r"xapp-[0-9]-<up>{9,11}-[0-9]{10,14}-<hex>{64}"),
    token("slack-config-refresh-token", &["xoxe-"], r"xoxe-[0-9]-<b62>{140,160}"),
    token("slack-legacy-workspace-token", &["xoxa-", "xoxr-"], r"xox[ar]-(?:[0-9]-)?<b62>{8,48}"),
    token("slack-legacy-session-token", &["xoxo-", "xoxs-"], r"xox[os]-(?:[0-9]+-){3}<b62>{10,64}"),
    token("slack-client-cookie-token", &["xoxc-"], r"xoxc-(?:[0-9]+-){3}<hex>{64}"),
    token("slack-d-cookie", &["xoxd-"], r"xoxd-[0-9A-Za-z%/+_=-]{80,}"),
    token(
        "slack-webhook-url",
        &["hooks.slack.com/services/"],
        r"hooks\.slack\.com/services/(T<up>{8,12}/B<up>{8,12}/<b62>{23,25})",
    ),
    token(
        "slack-workflow-webhook-url",
        &["hooks.slack.com/workflows/"],
        r"hooks\.slack\.com/workflows/(T<up>{8,12}/A<up>{8,12}/[0-9]{17,19}/<b62>{23,25})",
    ),
    marked(
        "discord-bot-token",
        &["discord"],
        0,
        r"(?i)discord.{0,80}?[^0-9A-Za-z_-]([MNO]<url>{23,25}\.<url>{6}\.<url>{27,38})",
    ),
    token(
        "discord-webhook-url",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks/([0-9]{17,20}/<url>{60,80})",
    ),
    near("discord-client-secret", &["discord"], r"<url>{32}"),
    marked("telegram-bot-token", &[":AA"], 10, r"[0-9]{8,10}:AA<url>{33}"),
    token("twilio-api-key-sid", &["SK"], r"SK<hex>{32}"),
    near("twilio-auth-token", &["twilio", "auth_token", "auth token"], r"<hex>{32}"),
    token("sendgrid-api-key", &["SG."], r"SG\.<url>{22}\.<url>{43}"),
    token("mailgun-api-key", &["key-"], r"key-<hex>{32}"),
    near("mailgun-signing-key", &["mailgun"], r"<hex>{32}-<hex>{8}-<hex>{8}"),
    marked("mailchimp-api-key", &["-us"], 32, r"<hex>{32}-us[0-9]{1,2}"),
    token("brevo-api-key", &["xkeysib-"], r"xkeysib-<hex>{64}-<b62>{16}"),
    token("brevo-smtp-key", &["xsmtpsib-"], r"xsmtpsib-<hex>{64}-<b62>{16}"),
    near("postmark-server-token", &["postmark"], r"<uuid>"),
    token("resend-api-key", &["re_"], r"re_<b62>{8}_<b62>{24}"),
    token(
        "teams-webhook-url",
        &[".webhook.office.com/webhookb2/"],
        r"\.webhook\.office\.com/webhookb2/(<uuid>@<uuid>/IncomingWebhook/<hex>{32}/<uuid>(?:/<url>+)?)",
    ),
    token(
        "zapier-webhook-url",
        &["hooks.zapier.com/hooks/catch/"],
        r"hooks\.zapier\.com/hooks/catch/([0-9]{6,9}/<low>{6,9})",
    ),
    token(
        "google-chat-webhook-url",
        &["chat.googleapis.com/v1/spaces/"],
        r"chat\.googleapis\.com/v1/spaces/<url>+/messages\?(key=<url>{30,50}&token=[0-9A-Za-z_%-]{40,})",
    ),
    token("intercom-access-token", &["dG9rO"], r"dG9rO<b64>{55,60}={0,2}").checked(Check::Intercom),
    token("facebook-page-token", &["EAA"], r"EAA<let><b62>{100,300}").checked(Check::Varied),
    marked("twitter-bearer-token", &["AAAAAAAAAAAAAAAAAAAAAA"], 0, r"A{22}[0-9A-Za-z%]{80,100}")
        .checked(Check::AnyText),
];
