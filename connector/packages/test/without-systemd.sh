# A machine on which no systemd runs: the desktop starts the connector. In /packages: old, new.
install_package() { dpkg -i "/packages/$1.deb" >>/results/dpkg.log 2>&1; }
ip link set lo up
useradd --create-home --shell /bin/sh alice
install_package old
fact install.status $?
entry=/etc/xdg/autostart/cardwire.desktop
command=$(sed -n 's/^Exec=//p' "$entry")
fact install.entry "$(tells grep -qx 'X-systemd-skip=true' "$entry") $command"
# shellcheck disable=SC2086 # The line has arguments.
runuser -u alice -- env -i HOME=/home/alice USER=alice PATH=/usr/bin:/bin DISPLAY=:7 'CARDWIRE_CORS=https://a.example,https://b.example' \
  setsid $command </dev/null >/home/alice/log 2>&1 &
fact install.connector "$(tells wait_for 30 agent_ready alice)"
fact install.registry "$(tells wait_for 20 curl -sS --cacert /home/alice/.local/share/cardwire/certificates/rootCA.pem https://localhost:51983/v3/info)"
connector() { pgrep -u alice -f 'cardwire run' | head -1; }
before=$(connector)
kill -STOP "$before"
from=$(date +%s)
install_package new
fact upgrade.status $?
fact upgrade.seconds $(($(date +%s) - from))
came_back() { [ -n "$(connector)" ] && [ "$(connector)" != "$before" ] && agent_ready alice; }
fact upgrade.connector "$(tells wait_for 30 came_back)"
fact upgrade.version "$("/proc/$(connector)/exe" --version)"
fact upgrade.owner "$(stat -c %U "/proc/$(connector)")"
fact upgrade.environment "$(tr '\0' '\n' <"/proc/$(connector)/environ" | grep -E '^(DISPLAY|CARDWIRE_CORS|HOME)=' | sort | tr '\n' ' ')"
fact upgrade.left "$(tells test -e /run/cardwire-resume)"
dpkg --purge cardwire >>/results/dpkg.log 2>&1
fact purge.status $?
fact purge.processes "$(pgrep -c -u alice -f cardwire/cardwire)"
fact purge.runtime "$(tells test -e /home/alice/.local/state/cardwire)"
fact done yes
