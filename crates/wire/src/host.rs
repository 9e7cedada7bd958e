//! The host's files that a guest with commands sees, read-only. No user's files are among them.

/// Folders of programs and their data. A host may lack some.
pub const FOLDERS: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives", "/etc/iproute2"];

/// Files of /etc: the index of libraries, and the names of protocols and ports.
pub const FILES: [&str; 4] = ["ld.so.cache", "ethertypes", "protocols", "services"];

/// The guest's folder of the tools that set up its network: programs, their loader and their libraries.
pub const TOOLS: &str = "/tools";
