# The life of the RPM package, in a Debian that has rpm: the same units and trust stores, another installer. In /packages: old,
# new, and torn, in which bytes have changed.
install_package() { rpm "$1" --nodeps "/packages/$2.rpm" >>/results/rpm.log 2>&1; }
begin alice bob
session start alice
mkdir -p /etc/cardwire
echo CARDWIRE_BROWSER_POLICIES=on >/etc/cardwire/cardwire.conf

install_package -i old
fact install.status $?
fact install.answers "$(tells wait_for 20 answers)"
fact install.openSession "$(tells wait_for 20 agent_ready alice)"
fact install.verified "$(tells rpm -V --nodeps cardwire)"
session start bob
fact install.policies "$(policies)"
fact install.session "$(tells wait_for 20 agent_ready bob)"
wait_for 20 nss_has alice
wait_for 20 nss_has bob
session stop bob
systemctl --user -M bob@.host stop graphical-session.target
agent_ended() { ! agent_runs bob; }
fact install.sessionEnds "$(tells wait_for 15 agent_ended) $(agent_state bob)"
session start bob
wait_for 20 agent_ready bob
fact install.browsersTrust "$(nss alice) $(nss bob)"

before=$(agent_pid alice)
kill -9 "$before"
fact crash.agent "$(tells wait_for 5 agent_changed alice "$before")"
before=$(registry_pid)
kill -9 "$before"
registry_changed() { [ "$(registry_pid)" != "$before" ] && answers; }
fact crash.registry "$(tells wait_for 5 registry_changed)"
wait_for 20 agent_ready alice

before="$(registry_pid) $(agent_pid alice)"
install_package -U torn
fact torn.refused "$([ $? -ne 0 ] && echo yes || echo no)"
fact torn.runs "$([ "$(registry_pid) $(agent_pid alice)" = "$before" ] && echo yes || echo no) $(agent_version alice)"

kept=$(digests)
kill -STOP "$(agent_pid bob)"
begin_gap /results/gap
from=$(date +%s)
install_package -U new
fact upgrade.status $?
fact upgrade.seconds $(($(date +%s) - from))
fact upgrade.gap "$(end_gap /results/gap)"
fact upgrade.answers "$(tells wait_for 20 answers)"
fact upgrade.agents "$(tells wait_for 20 agent_ready alice) $(tells wait_for 20 agent_ready bob)"
fact upgrade.versions "$(agent_version alice) $(agent_version bob) $("/proc/$(registry_pid)/exe" --version)"
fact upgrade.owners "$(stat -c %U "/proc/$(agent_pid alice)" "/proc/$(agent_pid bob)" | tr '\n' ' ')"
fact upgrade.kept "$([ "$(digests)" = "$kept" ] && echo yes || echo no)"

systemctl disable --now cardwire-registry.service
install_package --reinstall new
systemctl --global disable cardwire.service
install_package --reinstall new
fact disabled.agent "$(systemctl --global is-enabled cardwire.service)"
systemctl --global enable cardwire.service
fact disabled.registry "$(systemctl is-enabled cardwire-registry.service) $(systemctl is-active cardwire-registry.service)"
systemctl enable --now cardwire-registry.service
wait_for 20 answers

cp /var/lib/cardwire/public/rootCA.pem /results/root.pem
mkdir -p /etc/cardwire /srv/precious/runtime
echo CARDWIRE_LOG_LEVEL=info >/etc/cardwire/cardwire.conf
echo forever >/etc/cardwire/managed.conf
echo keep >/srv/precious/runtime/file
chmod -R o+rwx /srv/precious
mv /home/bob/.local/state/cardwire /home/bob/before
ln -s /srv/precious /home/bob/.local/state/cardwire
rpm -e cardwire >>/results/rpm.log 2>&1
fact erase.status $?
fact erase.processes "$(pgrep -c -f cardwire/cardwire)"
fact erase.runtime "$(tells test -e /home/alice/.local/state/cardwire)"
fact erase.certificates "$(tells test -e /home/alice/.local/share/cardwire/certificates/rootCA-key.pem) $(tells test -e /var/lib/cardwire/certificates/rootCA-key.pem)"
fact erase.trust "$(tells openssl verify /results/root.pem) $(nss alice) $(nss bob)"
fact erase.policies "$(policies)"
fact erase.links "$(cat /srv/precious/runtime/file)"
fact erase.settings "$(ls /etc/cardwire)"
fact erase.left "$(find /etc/systemd /usr/lib/systemd /usr/lib/cardwire /usr/bin/cardwire /etc/xdg/autostart -name '*cardwire*' 2>/dev/null | tr '\n' ' ')"
fact done yes
