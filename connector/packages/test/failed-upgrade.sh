# Upgrades that end before their end, and what an administrator switched off. In /packages: old, new, and torn, whose files cannot be unpacked.
install_package() { dpkg -i "/packages/$1.deb" >>/results/dpkg.log 2>&1; }
state() { dpkg-query -W -f '${Status} ${Version}' cardwire; }
begin alice
session start alice
install_package old
wait_for 20 answers
wait_for 20 agent_ready alice
before=$(registry_pid)

# What runs has been ended when the files turn out to be torn.
install_package torn
fact torn.status $?
fact torn.ended "$([ "$(registry_pid)" != "$before" ] && echo yes || echo no)"
fact torn.answers "$(tells wait_for 20 answers)"
fact torn.agent "$(tells wait_for 20 agent_ready alice) $(agent_version alice)"
fact torn.state "$(state)"
fact torn.verified "$(tells dpkg -V cardwire)"
fact torn.left "$(tells test -e /run/cardwire-resume)"

install_package new
fact next.status $?
fact next.runs "$(tells wait_for 20 answers) $(tells wait_for 20 agent_ready alice) $(agent_version alice)"

# Nobody's connector starts any more, after an upgrade neither.
systemctl --global disable cardwire.service
session stop alice
systemctl --user -M alice@.host stop cardwire.service
install_package new
fact disabled.agent "$(systemctl --global is-enabled cardwire.service)"
session start alice
fact disabled.session "$(tells wait_for 3 agent_runs alice)"
fact done yes
