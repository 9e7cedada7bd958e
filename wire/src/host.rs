//! What a guest with commands sees of the host's files, read-only. Nothing of any user's.

/// Folders with programs and what these read. A host need not have each.
pub const FOLDERS: [&str; 9] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives", "/etc/iproute2"];

/// Files of /etc: the index of libraries, and the names of protocols and ports.
pub const FILES: [&str; 4] = ["ld.so.cache", "ethertypes", "protocols", "services"];

/// Where the tools are in the guest that set its network up: programs, their loader and their libraries.
pub const TOOLS: &str = "/tools";
