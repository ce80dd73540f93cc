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
# How many roots of ours the browsers of a user trust.
nss() { runuser -u "$1" -- certutil -L -d "sql:/home/$1/.pki/nssdb" | grep -c Cardwire; }
# How many roots the policies of Chromium, Chrome and Edge have.
policies() {
  for folder in /etc/chromium /etc/opt/chrome /etc/opt/edge; do
    cat "$folder/policies/managed/cardwire-roots.json" 2>/dev/null | grep -c '^ *"MII'
  done | tr '\n' ' '
}
nss_has() { [ "$(nss "$1")" -ge 2 ]; }
session() { systemctl --user -M "$2@.host" "$1" fake-session.target; }

# begin USER...: makes these users, each with a systemd and a session that could begin.
begin() {
  systemctl start multi-user.target
  ip link set lo up
  for user; do
    useradd --create-home --shell /bin/sh "$user"
    loginctl enable-linger "$user"
    wait_for 20 systemctl --user -M "$user@.host" is-system-running --wait
    folder=/home/$user/.config/systemd/user
    mkdir -p "$folder"
    printf '[Unit]\nBindsTo=graphical-session.target\nAfter=graphical-session.target\n' >"$folder/fake-session.target"
    chown -R "$user:$user" "/home/$user"
    systemctl --user -M "$user@.host" daemon-reload
  done
}

# The distribution service of machine-service.ts.
service=/repository/node_modules/node/bin/node
service_url() { sed -n 's/^DS_URL=//p' /service/settings.env; }
start_service() {
  systemd-run --quiet --unit=distribution-service --property=EnvironmentFile=/service/settings.env \
    "$service" /repository/ds/dist/node.js
  wait_for 30 curl -fsS "$(service_url)/health"
}
# administer METHOD PATH FILE: sends the JSON of a file as the first administrator.
administer() {
  password=$(sed -n 's/^DS_ADMIN_PASSWORD=//p' /service/settings.env)
  token=$(curl -fsS "$(service_url)/auth/realms/cardwire/protocol/openid-connect/token" -d client_id=cardwire \
    -d grant_type=password -d username=admin -d "password=$password" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
  curl -fsS -X "$1" "$(service_url)$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
    --data-binary "@$3" -o /dev/null
}

# begin_gap FILE, end_gap FILE: the longest time without an answer of the registry between them, in milliseconds.
begin_gap() {
  rm -f /run/measured
  (while [ ! -e /run/measured ]; do
    if answers 2>/dev/null; then echo "$(date +%s%N) yes"; else echo "$(date +%s%N) no"; fi
    sleep 0.05
  done >"$1") &
  gap_pid=$!
  sleep 1
}
end_gap() {
  wait_for 20 answers
  sleep 1
  touch /run/measured
  wait "$gap_pid"
  awk '$2 == "no" && !from { from = last } $2 == "yes" { if (from && $1 - from > longest) longest = $1 - from; from = 0; last = $1 } END { print int(longest / 1000000) }' "$1"
}
