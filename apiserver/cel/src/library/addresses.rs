//! Addresses and networks.

use super::{Answer, Stop, UNFIT, Val, text_arg};
use std::net::{IpAddr, Ipv4Addr};

pub(crate) fn ip(given: &[Val]) -> Answer {
    address(text_arg(given)?).map(Val::Ip).ok_or(Stop::Error)
}

pub(crate) fn is_ip(given: &[Val]) -> Answer {
    Ok(Val::Bool(address(text_arg(given)?).is_some()))
}

pub(crate) fn is_canonical(given: &[Val]) -> Answer {
    let text = text_arg(given)?;
    let address = address(text).ok_or(Stop::Error)?;
    Ok(Val::Bool(address.to_string() == text))
}

pub(crate) fn to_text(given: &[Val]) -> Answer {
    match given {
        [Val::Ip(address)] => Ok(Val::text(address.to_string())),
        [Val::Cidr(address, bits)] => Ok(Val::text(format!("{address}/{bits}"))),
        _ => UNFIT,
    }
}

pub(crate) fn family(given: &[Val]) -> Answer {
    of_address(given, |address| match address {
        IpAddr::V4(_) => Val::Int(4),
        IpAddr::V6(_) => Val::Int(6),
    })
}

pub(crate) fn is_unspecified(given: &[Val]) -> Answer {
    of_address(given, |address| Val::Bool(address.is_unspecified()))
}

pub(crate) fn is_loopback(given: &[Val]) -> Answer {
    of_address(given, |address| Val::Bool(address.is_loopback()))
}

pub(crate) fn is_link_local_multicast(given: &[Val]) -> Answer {
    of_address(given, |address| {
        Val::Bool(match address {
            IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
            IpAddr::V6(address) => {
                matches!(address.octets(), [0xff, scope, ..] if scope & 0x0f == 2)
            }
        })
    })
}

pub(crate) fn is_link_local_unicast(given: &[Val]) -> Answer {
    of_address(given, |address| Val::Bool(is_link_local(address)))
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

pub(crate) fn is_global_unicast(given: &[Val]) -> Answer {
    of_address(given, |address| {
        let is_special = address.is_unspecified()
            || address.is_loopback()
            || address.is_multicast()
            || is_link_local(address)
            || address == IpAddr::V4(Ipv4Addr::BROADCAST);
        Val::Bool(!is_special)
    })
}

pub(crate) fn cidr(given: &[Val]) -> Answer {
    let (address, bits) = network(text_arg(given)?).ok_or(Stop::Error)?;
    Ok(Val::Cidr(address, bits))
}

pub(crate) fn is_cidr(given: &[Val]) -> Answer {
    Ok(Val::Bool(network(text_arg(given)?).is_some()))
}

pub(crate) fn contains_ip(given: &[Val]) -> Answer {
    let (network, bits, other) = match given {
        [Val::Cidr(network, bits), Val::Ip(other)] => (network, *bits, *other),
        [Val::Cidr(network, bits), Val::String(text)] => {
            (network, *bits, address(text).ok_or(Stop::Error)?)
        }
        _ => return UNFIT,
    };
    Ok(Val::Bool(
        masked_to(*network, bits) == masked_to(other, bits),
    ))
}

pub(crate) fn contains_cidr(given: &[Val]) -> Answer {
    let (one, bits, (other, longer)) = match given {
        [Val::Cidr(one, bits), Val::Cidr(other, longer)] => (one, *bits, (*other, *longer)),
        [Val::Cidr(one, bits), Val::String(text)] => {
            (one, *bits, network(text).ok_or(Stop::Error)?)
        }
        _ => return UNFIT,
    };
    let overlaps = masked_to(*one, bits) == masked_to(other, bits);
    Ok(Val::Bool(bits <= longer && overlaps))
}

pub(crate) fn network_address(given: &[Val]) -> Answer {
    let [Val::Cidr(address, _)] = given else {
        return UNFIT;
    };
    Ok(Val::Ip(*address))
}

pub(crate) fn prefix_length(given: &[Val]) -> Answer {
    let [Val::Cidr(_, bits)] = given else {
        return UNFIT;
    };
    Ok(Val::Int(i64::from(*bits)))
}

pub(crate) fn masked(given: &[Val]) -> Answer {
    let [Val::Cidr(address, bits)] = given else {
        return UNFIT;
    };
    Ok(Val::Cidr(masked_to(*address, *bits), *bits))
}

/// An address without a zone, and not an IPv4 address in IPv6.
fn address(text: &str) -> Option<IpAddr> {
    let address: IpAddr = text.parse().ok()?;
    let mapped = matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some());
    (!mapped).then_some(address)
}

fn network(text: &str) -> Option<(IpAddr, u8)> {
    let (network, bits) = text.rsplit_once('/')?;
    let network = address(network)?;
    let plain = bits == "0" || (!bits.starts_with('0') && bits.bytes().all(|b| b.is_ascii_digit()));
    let bits = bits.parse::<u8>().ok().filter(|_| plain)?;
    (bits <= longest(network)).then_some((network, bits))
}

fn longest(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 32,
        IpAddr::V6(_) => 128,
    }
}

/// The address with all but the first bits set to zero; unchanged if it has fewer bits.
fn masked_to(address: IpAddr, bits: u8) -> IpAddr {
    let Some(rest) = longest(address).checked_sub(bits) else {
        return address;
    };
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(u32::from(rest)).unwrap_or_default();
            (u32::from(address) & mask).to_be_bytes().into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(u32::from(rest)).unwrap_or_default();
            (u128::from(address) & mask).to_be_bytes().into()
        }
    }
}

fn of_address(given: &[Val], answer: fn(IpAddr) -> Val) -> Answer {
    let [Val::Ip(address)] = given else {
        return UNFIT;
    };
    Ok(answer(*address))
}
