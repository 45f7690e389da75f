//! A kube-apiserver with its etcd on loopback, started from nothing and removed without a trace.

use super::binaries::Binaries;
use super::http::Api;
use super::keeper::{Keeper, MOMENT};
use super::{Failure, io};
use serde_json::Value;
use std::hash::{BuildHasher, RandomState};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};

/// Logs the metadata of every request once it is answered.
const AUDIT_POLICY: &str = "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n- level: Metadata\n";

/// The environment variable for kubectl's cache, which is otherwise in the user's home, or without one in the current folder.
const KUBECTL_CACHE: &str = "KUBECACHEDIR";

/// A running server. Dropping it stops its processes and removes its files, and so does the end of this process.
#[derive(Debug)]
pub struct Server {
    // Fields are dropped in this order: clients before their servers.
    proxy: Keeper,
    apiserver: Keeper,
    etcd: Keeper,
    /// The address for requests.
    pub api: Api,
    /// The configuration for kubectl and other clients.
    pub kubeconfig: PathBuf,
    audit_log: PathBuf,
    kubectl: PathBuf,
    _root: Root,
}

/// The folder of all files of a server, removed even if the start fails.
#[derive(Debug)]
struct Root(PathBuf);

impl Root {
    /// Creates it below the folder for temporary files, which must exist.
    fn make() -> Result<Self, Failure> {
        let folder = std::env::temp_dir().join(format!("crd-channels-{:016x}", random()));
        std::fs::create_dir(&folder).map_err(|error| io("written", &folder, &error))?;
        let root = Self(folder);
        keep_private(&root.0)?;
        Ok(root)
    }

    fn folder(&self, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.0.join(name);
        std::fs::create_dir(&folder).map_err(|error| io("written", &folder, &error))?;
        Ok(folder)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        // Each keeper removes its own folder, and this one removes the rest.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Server {
    /// Starts a server and waits until it is ready.
    ///
    /// # Errors
    /// Fails if a process cannot start, ends early, or is not ready in time; the message has its last output.
    pub fn start(binaries: &Binaries) -> Result<Self, Failure> {
        let root = Root::make()?;
        let etcd_folder = root.folder("etcd")?;
        let etcd_port = free_port()?;
        let etcd = start_etcd(&etcd_folder, &binaries.etcd, etcd_port)?;
        // etcd generates a key for peers, which it does not have here: use the pair to sign tokens of service accounts.
        let key = etcd_folder.join("data/fixtures/peer/key.pem");
        etcd.wait_for(|| key.exists())?;

        let folder = root.folder("kube-apiserver")?;
        let port = free_port()?;
        let token = format!("{:016x}{:016x}", random(), random());
        write(
            &folder.join("tokens"),
            &format!("{token},admin,admin,system:masters\n"),
        )?;
        write(&folder.join("audit-policy"), AUDIT_POLICY)?;
        let arguments = apiserver_arguments(&folder, etcd_port, port, &key);
        let apiserver = Keeper::start(
            "kube-apiserver",
            &folder,
            &binaries.kube_apiserver,
            arguments,
        )?;
        let kubeconfig = folder.join("kubeconfig");
        let authority = folder.join("apiserver.crt");
        write(&kubeconfig, &kubeconfig_text(port, &authority, &token))?;
        // The server writes its certificate before it listens, and kubectl needs it.
        apiserver.wait_for(|| authority.exists())?;

        let arguments = [
            format!("--kubeconfig={}", kubeconfig.display()),
            "proxy".to_owned(),
            "--port=0".to_owned(),
        ];
        let proxy_folder = root.folder("kubectl-proxy")?;
        let proxy = Keeper::start("kubectl proxy", &proxy_folder, &binaries.kubectl, arguments)?;
        let mut proxy_port = None;
        proxy.wait_for(|| {
            proxy_port = proxy.log().ok().and_then(|log| serving_port(&log));
            proxy_port.is_some()
        })?;
        let api = Api {
            port: proxy_port.unwrap_or_default(),
        };
        apiserver.wait_for(|| api.get("/readyz").is_ok_and(|answer| answer.status == 200))?;
        Ok(Self {
            proxy,
            apiserver,
            etcd,
            api,
            kubeconfig,
            audit_log: folder.join("audit-log"),
            kubectl: binaries.kubectl.clone(),
            _root: root,
        })
    }

    /// Starts another program, in its own folder beside those of the server, with the server's kubeconfig in `KUBECONFIG`.
    ///
    /// # Errors
    /// Fails if the folder cannot be created or the program cannot start.
    pub fn start_beside(
        &self,
        name: &'static str,
        program: &Path,
        arguments: &[&str],
    ) -> Result<Keeper, Failure> {
        let beside = self.audit_log.parent().unwrap_or(&self.audit_log);
        let folder = beside.with_file_name(name);
        std::fs::create_dir_all(&folder).map_err(|error| io("written", &folder, &error))?;
        let kubeconfig = format!("KUBECONFIG={}", self.kubeconfig.display());
        let program = program.display().to_string();
        let program = [&kubeconfig, &program].into_iter().map(String::as_str);
        let arguments = program.chain(arguments.iter().copied());
        Keeper::start(name, &folder, Path::new("env"), arguments)
    }

    /// Creates a folder that is removed with the server.
    ///
    /// # Errors
    /// Fails if it cannot be created.
    pub fn scratch(&self, name: &str) -> Result<PathBuf, Failure> {
        let folder = self.audit_log.with_file_name(name);
        std::fs::create_dir_all(&folder).map_err(|error| io("written", &folder, &error))?;
        Ok(folder)
    }

    /// Runs kubectl against the server.
    ///
    /// # Errors
    /// Fails if kubectl cannot start.
    pub fn kubectl(&self, arguments: &[&str]) -> Result<Output, Failure> {
        Command::new(&self.kubectl)
            .arg(format!("--kubeconfig={}", self.kubeconfig.display()))
            .args(arguments)
            .env(KUBECTL_CACHE, self.scratch("kubectl-cache")?)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| Failure::new(format!("kubectl could not be started: {error}")))
    }

    /// Runs a user's program, which finds the server by `KUBECONFIG`.
    ///
    /// # Errors
    /// Fails if the program cannot start.
    pub fn run(&self, program: &str, arguments: &[String]) -> Result<ExitStatus, Failure> {
        Command::new(program)
            .args(arguments)
            .env("KUBECONFIG", &self.kubeconfig)
            .env(KUBECTL_CACHE, self.scratch("kubectl-cache")?)
            .status()
            .map_err(|error| Failure::new(format!("`{program}` could not be started: {error}")))
    }

    /// Returns an event for every request that was answered so far.
    ///
    /// # Errors
    /// Fails if the server's audit log cannot be read.
    pub fn audit_events(&self) -> Result<Vec<Value>, Failure> {
        let path = &self.audit_log;
        let text = std::fs::read_to_string(path).map_err(|error| io("read", path, &error))?;
        Ok(text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect())
    }

    /// Waits until a process of the server ends by itself. Returns the reason; otherwise only the user ends the wait.
    #[must_use]
    pub fn wait(&self) -> Failure {
        loop {
            for keeper in [&self.apiserver, &self.proxy, &self.etcd] {
                if keeper.has_ended() {
                    return keeper.failure("ended");
                }
            }
            std::thread::sleep(MOMENT);
        }
    }
}

fn start_etcd(folder: &Path, program: &Path, port: u16) -> Result<Keeper, Failure> {
    let peer_port = free_port()?;
    let arguments = [
        "--data-dir=data".to_owned(),
        format!("--listen-client-urls=http://127.0.0.1:{port}"),
        format!("--advertise-client-urls=http://127.0.0.1:{port}"),
        format!("--listen-peer-urls=https://127.0.0.1:{peer_port}"),
        format!("--initial-advertise-peer-urls=https://127.0.0.1:{peer_port}"),
        format!("--initial-cluster=default=https://127.0.0.1:{peer_port}"),
        "--peer-auto-tls".to_owned(),
        // The data does not outlive the process, so it need not reach the disk.
        "--unsafe-no-fsync".to_owned(),
    ];
    Keeper::start("etcd", folder, program, arguments)
}

fn apiserver_arguments(folder: &Path, etcd_port: u16, port: u16, key: &Path) -> Vec<String> {
    let key = key.display();
    let own = |name: &str| folder.join(name).display().to_string();
    vec![
        format!("--etcd-servers=http://127.0.0.1:{etcd_port}"),
        "--bind-address=127.0.0.1".to_owned(),
        "--advertise-address=127.0.0.1".to_owned(),
        "--endpoint-reconciler-type=none".to_owned(),
        format!("--secure-port={port}"),
        format!("--cert-dir={}", own("")),
        format!("--token-auth-file={}", own("tokens")),
        "--authorization-mode=RBAC".to_owned(),
        "--disable-admission-plugins=ServiceAccount".to_owned(),
        "--service-account-issuer=https://localhost".to_owned(),
        format!("--service-account-key-file={key}"),
        format!("--service-account-signing-key-file={key}"),
        "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
        format!("--audit-policy-file={}", own("audit-policy")),
        format!("--audit-log-path={}", own("audit-log")),
    ]
}

fn kubeconfig_text(port: u16, authority: &Path, token: &str) -> String {
    // JSON is YAML, and escapes paths where needed.
    let config = serde_json::json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "envtest", "cluster": {
            "server": format!("https://127.0.0.1:{port}"),
            "certificate-authority": authority,
        }}],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "envtest", "context": {"cluster": "envtest", "user": "admin"}}],
        "current-context": "envtest",
    });
    format!("{config:#}\n")
}

/// Returns the port in `Starting to serve on 127.0.0.1:40001`.
fn serving_port(log: &str) -> Option<u16> {
    let (_, address) = log.split_once("Starting to serve on ")?;
    let (address, _) = address.split_once('\n')?;
    address.rsplit_once(':')?.1.parse().ok()
}

/// Returns a port of loopback that is currently unused.
fn free_port() -> Result<u16, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|error| Failure::new(format!("there is no free port on loopback: {error}")))
}

/// Returns an unpredictable number: the standard library seeds its hashers from the operating system.
fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| io("written", path, &error))
}

/// Makes a folder private: the token in it grants administrator access to the cluster.
fn keep_private(folder: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let private = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(folder, private).map_err(|error| io("written", folder, &error))?;
    }
    let _ = folder;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::serving_port;

    #[test]
    fn the_proxy_says_its_port() {
        assert_eq!(
            serving_port("W1: x\nStarting to serve on 127.0.0.1:40001\n"),
            Some(40001)
        );
        // An incomplete line has no port yet.
        assert_eq!(serving_port("Starting to serve on 127.0.0.1:400"), None);
        assert_eq!(serving_port(""), None);
    }
}
