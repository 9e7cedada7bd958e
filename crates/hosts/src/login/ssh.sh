# Runs ssh until goodput closes this script's input, and then removes the folder of its socket, however goodput ended.
#   sh -c "$(cat ssh.sh)" sh FOLDER ssh ARGUMENT...
folder=$1
shift
trap : HUP INT TERM
mkfifo -m 600 "$folder/input" || exit
"$@" <"$folder/input" &
ssh=$!
# Only ssh holds the streams, so they end with it.
exec >/dev/null 2>&1
cat >"$folder/input"
# A host may keep the connection open.
(sleep 2 && kill "$ssh") &
patience=$!
wait "$ssh"
kill "$patience"
rm -rf "$folder"
