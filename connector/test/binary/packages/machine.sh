# What the scripts of booted machines share. They run as root, see the packages in /packages, and write what they see into
# $results, one fact on a line: NAME VALUE.
set -u
results=/results/facts
: >"$results"
fact() {
  name=$1
  shift
  echo "$name $*" >>"$results"
}
answers() { curl -sS --max-time 2 https://localhost:51983/v3/info -o /dev/null; }
# wait_for SECONDS COMMAND...: succeeds as soon as the command does.
wait_for() {
  until_tenth=$(($1 * 10))
  shift
  while ! "$@" >/dev/null 2>&1; do
    until_tenth=$((until_tenth - 1))
    if [ "$until_tenth" -le 0 ]; then return 1; fi
    sleep 0.1
  done
}
tells() { if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi; }
agent_pid() { systemctl --user -M "$1@.host" show -p MainPID --value cardwire.service; }
agent_runs() { [ "$(agent_pid "$1")" != 0 ]; }
agent_changed() { agent_runs "$1" && [ "$(agent_pid "$1")" != "$2" ]; }
agent_state() { systemctl --user -M "$1@.host" is-active cardwire.service; }
agent_version() { "/proc/$(agent_pid "$1")/exe" --version; }
agent_ready() { [ -s "/home/$1/.local/state/cardwire/runtime/api-port" ] && agent_answers "$1"; }
agent_answers() {
  curl -sS --max-time 2 --cacert "/home/$1/.local/share/cardwire/certificates/rootCA.pem" \
    "https://localhost:$(cat "/home/$1/.local/state/cardwire/runtime/api-port")/v3/version" -o /dev/null
}
registry_pid() { systemctl show -p MainPID --value cardwire-registry.service; }
digest() { cat "$@" | sha256sum | cut -c1-16; }
digests() {
  digest /var/lib/cardwire/certificates/rootCA-key.pem /home/*/.local/share/cardwire/certificates/rootCA-key.pem \
    /home/*/.local/state/cardwire/runtime/*key*
}
# How many roots of ours the browsers of a person trust.
nss() { runuser -u "$1" -- certutil -L -d "sql:/home/$1/.pki/nssdb" | grep -c Cardwire; }
# How many roots the policies of Chromium, Chrome and Edge have.
policies() {
  for folder in /etc/chromium /etc/opt/chrome /etc/opt/edge; do
    cat "$folder/policies/managed/cardwire-roots.json" 2>/dev/null | grep -c '^ *"MII'
  done | tr '\n' ' '
}
nss_has() { [ "$(nss "$1")" -ge 2 ]; }
session() { systemctl --user -M "$2@.host" "$1" fake-session.target; }

# begin PERSON...: makes these people, each with a systemd and a session that could begin.
begin() {
  systemctl start multi-user.target
  ip link set lo up
  for person; do
    useradd --create-home --shell /bin/sh "$person"
    loginctl enable-linger "$person"
    wait_for 20 systemctl --user -M "$person@.host" is-system-running --wait
    folder=/home/$person/.config/systemd/user
    mkdir -p "$folder"
    printf '[Unit]\nBindsTo=graphical-session.target\nAfter=graphical-session.target\n' >"$folder/fake-session.target"
    chown -R "$person:$person" "/home/$person"
    systemctl --user -M "$person@.host" daemon-reload
  done
}
