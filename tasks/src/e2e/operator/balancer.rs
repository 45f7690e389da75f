//! What a `Service` is in a cluster: one address, and connections to the replicas that are ready, in turn.

use crd_channels_envtest::Failure;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The port of the webhook in its CRDs.
const PORT: u16 = 8443;

/// Listens on an address of loopback that nothing else uses, as long as this process lives.
#[derive(Debug)]
pub struct Balancer {
    /// The address.
    pub address: Ipv4Addr,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    ports: Vec<u16>,
    next: usize,
    open: Vec<TcpStream>,
}

impl Balancer {
    /// Starts it, without replicas.
    pub fn start() -> Result<Self, Failure> {
        let id = std::process::id().to_be_bytes();
        // The first is an address of this process on Linux, where all of 127.0.0.0/8 is loopback.
        let own = Ipv4Addr::new(127, id[1] | 1, id[2], id[3]);
        let listener = [own, Ipv4Addr::LOCALHOST].into_iter().find_map(|address| {
            let listener = TcpListener::bind((address, PORT)).ok()?;
            Some((address, listener))
        });
        let Some((address, listener)) = listener else {
            return Err(Failure::new(format!("port {PORT} of loopback is in use")));
        };
        let shared = Arc::new(Mutex::new(Shared::default()));
        let balancer = Self {
            address,
            shared: Arc::clone(&shared),
        };
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // Without a replica it is closed.
                let _ = forward(&client, &shared);
            }
        });
        Ok(balancer)
    }

    /// Sends new connections to the replicas on these ports. Connections that are open stay.
    pub fn add_to(&self, ports: &[u16]) {
        lock(&self.shared).ports = ports.to_vec();
    }

    /// The same, and closes those that are open. Only while there are no requests.
    pub fn send_to(&self, ports: &[u16]) {
        self.add_to(ports);
        for open in lock(&self.shared).open.drain(..) {
            let _ = open.shutdown(Shutdown::Both);
        }
    }
}

/// Connects a client to the next replica that accepts it.
fn forward(client: &TcpStream, shared: &Mutex<Shared>) -> io::Result<()> {
    let mut shared = lock(shared);
    let count = shared.ports.len();
    let replica = (0..count).find_map(|_| {
        let port = *shared.ports.get(shared.next % count)?;
        shared.next += 1;
        TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).ok()
    });
    let replica = replica.ok_or(io::ErrorKind::ConnectionRefused)?;
    for (from, to) in [(client, &replica), (&replica, client)] {
        let (mut from, mut to) = (from.try_clone()?, to.try_clone()?);
        to.set_nodelay(true)?;
        thread::spawn(move || {
            let _ = io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Both);
            let _ = from.shutdown(Shutdown::Both);
        });
    }
    shared.open.push(replica);
    Ok(())
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
