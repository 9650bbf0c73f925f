//! `recount serve`: the web app, on this machine.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use jiff::{Timestamp, Zoned};
use server::token::Token;
use server::{Options, Server};
use sources::Environment;
use sources::folders;
use sources::roots;

use crate::config::Config;
use crate::moment::{self, End};
use crate::{browser, indexed};

/// Show all sessions in a browser, live: which of them needs you, what each is doing, and all that ever happened
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Open it in the browser
    #[arg(short, long)]
    open: bool,
    /// The port; 0 is any that is free
    #[arg(short, long, default_value_t = 4747)]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Allow --bind to an address that other machines reach: sessions then go over the network as they are, unencrypted
    #[arg(long)]
    unencrypted: bool,
    /// Another name by which this machine is called in the browser (may be repeated)
    #[arg(long = "host", value_name = "NAME")]
    names: Vec<String>,
    /// Read this config root too (may be repeated)
    #[arg(long = "root", value_name = "DIR")]
    roots: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Only who has the token in the printed address is let in; it stays the same from start to start.
Nothing is sent anywhere, nothing is changed: here one can only read. Ctrl-C ends it.
Exit codes: 0 ended; 2 wrong usage, or it cannot be started.

Examples:
  recount serve --open
  recount serve --port 0
  ssh -L 4747:127.0.0.1:4747 there recount serve     the sessions of another machine, encrypted";

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if !self.bind.is_loopback() && !self.unencrypted {
            bail!(
                "{} can be reached by other machines, and nothing would be encrypted: use a tunnel \
                 (ssh -L 4747:127.0.0.1:4747 …), or add --unencrypted",
                self.bind
            );
        }
        let config = Config::load()?;
        let zone = config.time_zone();
        let index = indexed::path()?;
        let data =
            folders::data().context("there is no folder for the token: neither XDG_DATA_HOME nor HOME is set")?;
        let token_path = data.join("recount").join("serve.token");
        let token =
            Token::load(&token_path).with_context(|| format!("cannot keep the token: {}", token_path.display()))?;
        let (address, names) = (SocketAddr::new(self.bind, self.port), self.names);
        // Everybody on this machine can see what programs are started with: a code is good for one, and once.
        let code = self.open.then(Token::new).transpose().context("there is no randomness for a code")?;
        let read_moment = {
            let zone = zone.clone();
            move |text: &str| {
                let now = Zoned::now().with_time_zone(zone.clone());
                moment::read(text, End::Start, &now).map(Timestamp::as_millisecond)
            }
        };
        let server = Server::bind(Options {
            address,
            names: names.clone(),
            token: token.clone(),
            code: code.clone(),
            index,
            roots: roots(&Environment::of_process(), &self.roots),
            prices: config.prices(),
            rules: config.rules(),
            zone,
            read_moment: Box::new(read_moment),
        })?;
        let place = reachable(server.address(), &names);
        anstream::println!("http://{place}/?token={}", token.as_str());
        if let Some(code) = code {
            browser::start(Path::new(&format!("http://{place}/?code={}", code.as_str())))?;
        }
        server.run()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Where it is reached from here: the address that stands for all of them is none.
fn reachable(address: SocketAddr, names: &[String]) -> String {
    match (address.ip().is_unspecified(), names.first()) {
        (false, _) => address.to_string(),
        (true, Some(name)) => format!("{name}:{}", address.port()),
        (true, None) => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()).to_string(),
    }
}
