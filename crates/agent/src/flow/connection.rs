//! The TCP connection of a flow: its options, and its samples.

use super::Flow;
use crate::lab;
use crate::sys::{Buffer, Socket, Stack};
use crate::waiting::Outcome;
use std::fs;
use std::io::Error;
use std::os::fd::AsRawFd;
use wire::{Message, Readback, Tcp};

/// The end that sends data, whose ACKs are traced.
pub const SENDER: u32 = 0;
/// The end that receives data.
pub const RECEIVER: u32 = 1;

impl Flow {
    /// Makes a socket for one end, with all options that must be set before it connects or listens.
    pub fn socket(&self, end: u32, tcp: &Tcp, buffers: &[Buffer]) -> Result<Socket, String> {
        let socket = Socket::tcp(self.stack(end), self.family(), tcp.multipath)?;
        // The name is the sender's: FreeBSD's congestion control may not exist in Linux.
        if end == SENDER || self.stacks == [Stack::Linux; 2] {
            choose_congestion_control(&socket, tcp)?;
        }
        for buffer in buffers {
            self.set_buffer(&socket, *buffer, tcp)?;
        }
        if self.stack(end) == Stack::Linux {
            set_mss(&socket, tcp)?;
        }
        if tcp.nodelay {
            socket.send_at_once().map_err(|e| format!("TCP_NODELAY: {e}"))?;
        }
        if buffers.iter().any(|buffer| matches!(buffer, Buffer::Send)) {
            self.set_max_rate(&socket, tcp)?;
        }
        Ok(socket)
    }

    /// Caps the pacing rate, if one was asked for, and reports the kernel's value to the host. Accepted connections
    /// inherit the listener's.
    fn set_max_rate(&self, socket: &Socket, tcp: &Tcp) -> Outcome {
        let Some(rate) = tcp.max_rate else { return Ok(()) };
        let bytes = rate / 8;
        let got = socket.set_max_rate(bytes).map_err(|e| format!("SO_MAX_PACING_RATE of {bytes} B/s: {e}"))?;
        self.tell_readback("SO_MAX_PACING_RATE", bytes, got);
        Ok(())
    }

    fn tell_readback(&self, setting: &str, asked: u64, got: u64) {
        lab::tell(&Message::Readbacks(vec![Readback {
            place: format!("flow {}", self.number),
            setting: setting.into(),
            asked: asked.to_string(),
            got: got.to_string(),
        }]));
    }

    /// Sets a buffer size, if one was asked for, and reports the kernel's value to the host.
    fn set_buffer(&self, socket: &Socket, buffer: Buffer, tcp: &Tcp) -> Outcome {
        let (bytes, setting) = match buffer {
            Buffer::Send => (tcp.send_buffer, "SO_SNDBUF"),
            Buffer::Receive => (tcp.receive_buffer, "SO_RCVBUF"),
        };
        let Some(bytes) = bytes else { return Ok(()) };
        let (asked, got) = socket.set_buffer(buffer, bytes).map_err(|e| match socket.stack() {
            Stack::Linux => format!("{buffer:?} buffer of {bytes} bytes: {e}"),
            Stack::FreeBsd => format!(
                "{buffer:?} buffer of {bytes} bytes: {e}\n\nhint: data get 2048 of 2304 bytes of kern.ipc.maxsockbuf; raise \
                 it under sysctl of the host"
            ),
        })?;
        self.tell_readback(setting, asked.into(), got.into());
        Ok(())
    }

    pub fn connect(&self, socket: &Socket, tcp: &Tcp) -> Result<(), Error> {
        socket.connect(self.job.address, self.job.port)?;
        // FreeBSD refuses an MSS above net.inet.tcp.mssdflt (536) before the socket is connected.
        if socket.stack() == Stack::FreeBsd { set_mss(socket, tcp).map_err(Error::other) } else { Ok(()) }
    }

    /// Accepts the first connection to a socket with these options.
    pub fn accept(&self, listener: &Socket, tcp: &Tcp, buffers: &[Buffer]) -> Result<Socket, String> {
        let socket = listener.accept()?;
        if socket.stack() == Stack::FreeBsd {
            // Accepted connections inherit the listener's buffer sizes, then autotune (tcp_usr_attach).
            buffers.iter().try_for_each(|buffer| self.set_buffer(&socket, *buffer, tcp))?;
            set_mss(&socket, tcp)?;
        }
        Ok(socket)
    }

    /// Starts to sample an end.
    pub fn sample(&self, end: u32, socket: &Socket) -> Outcome {
        self.tell_sampler(end, &format!("flow {} {end} {}", self.number, socket.as_raw_fd()))
    }

    /// Samples an end a last time. Fails if the end was never sampled.
    pub fn release(&self, end: u32) -> Outcome {
        self.tell_sampler(end, &format!("release {} {end}", self.number))
    }

    fn tell_sampler(&self, end: u32, command: &str) -> Outcome {
        match self.stack(end) {
            Stack::Linux => lab::control(command),
            Stack::FreeBsd => {
                lab::freebsd(command).map(drop).map_err(|e| format!("FreeBSD's stack refused `{command}`: {e}"))
            }
        }
    }

    pub fn stack(&self, end: u32) -> Stack {
        self.stacks[end as usize]
    }
}

fn choose_congestion_control(socket: &Socket, tcp: &Tcp) -> Outcome {
    let Some(name) = &tcp.congestion else { return Ok(()) };
    socket.set_congestion_control(name).map_err(|e| {
        let known = fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control").unwrap_or_default();
        format!("congestion control \"{name}\": {e}; this kernel has {}", known.trim())
    })
}

fn set_mss(socket: &Socket, tcp: &Tcp) -> Outcome {
    let Some(mss) = tcp.mss else { return Ok(()) };
    socket.set_mss(mss).map_err(|e| format!("mss {mss}: {e}"))
}
