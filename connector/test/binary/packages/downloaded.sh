# A package that a user downloads from a service, which has written its values into it. In /packages: what the service
# publishes, and keystore.p12 with its certificate in keystore.pem. In /repository: the sources.
. /repository/connector/test/binary/packages/service.sh
page=https://shop.example
begin alice
start_distribution_service "$page"

# The user: a download, one command, a session.
download_package
# The first and the last byte that differ from the package as it was built, counted from 1.
fact download.differs "$(cmp -l /packages/cardwire_900.0.0_amd64.deb /tmp/cardwire.deb | awk '!first { first = $1 } { last = $1 } END { print first, last }')"
install_downloaded
fact install.status $?
rm /tmp/cardwire.deb
fact install.answers "$(tells wait_for 20 answers)"

# A desktop: a display with a clipboard, and a card in the reader.
start_desktop alice
start_card "$node" /repository/connector/test/binary/packages/insert-card.ts
session start alice
fact session.starts "$(tells wait_for 20 agent_ready alice)"

# Machine and user have registered, and wait for an administrator.
fact registered.machine "$(tells wait_for 20 machine_good)"
fact registered.user "$(tells wait_for 20 user_good alice)"
# By a name that the certificate of the keystore alone has.
keystore_on() {
  runuser -u alice -- curl -fsS --max-time 2 --cacert /packages/keystore.pem --resolve "local.example:$1:127.0.0.1" -H 'x-csrf-token: t1c-js' \
    "https://local.example:$1/info" -o /dev/null
}
api_port() { cat /home/alice/.local/state/cardwire/runtime/api-port; }
fact keystore.before "$(tells keystore_on 51983) $(tells keystore_on "$(api_port)")"
fact approved.devices "$(administer approve)"
fact keystore.after "$(tells wait_for 20 keystore_on 51983) $(tells wait_for 20 keystore_on "$(api_port)")"
fact doctor.machine "$(runuser -u alice -- cardwire doctor | grep -c '^✓ .*registry of this computer')"

# A page of the allowlist: its code word on the clipboard, a consent, and the card in the reader.
word="::t1c::miksa::$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
printf %s "$word" | runuser -u alice -- env DISPLAY=:7 xclip -selection clipboard -in >/dev/null 2>&1
as_page() {
  runuser -u alice -- curl -sS --max-time 10 -H "origin: $page" -H 'x-csrf-token: t1c-js' -H 'content-type: application/json' "$@"
}
fact page.consent "$(as_page https://localhost:51983/v3/consent --data "{\"codeWord\":\"$word\"}" | grep -o '"consentState":"[A-Z]*"')"
token=$(administer token)
readers() {
  as_page --cacert /home/alice/.local/share/cardwire/certificates/rootCA.pem -H "authorization: Bearer $token" \
    "https://localhost:$(api_port)/v3/readers"
}
has_card() { readers | grep -q 3B9813400AA503010101AD1311; }
wait_for 20 has_card
readers >/results/readers.json
fact page.card "$(readers | grep -o '"atr":"[0-9A-F]*"')"

# Where the key is, beside the file that has it.
sed -n 's/^CARDWIRE_INSTALLATION_KEY=//p' /etc/cardwire/installed.conf >/run/key
fact key.length "$(wc -c </run/key)"
ps -eww -o args >/run/ps
journalctl --no-pager >/run/journal
fact key.seen "$(grep -clF -f /run/key /run/ps /run/journal)$(grep -rlF -f /run/key /var/log /var/lib/cardwire/logs /home/alice/.local/state/cardwire/logs)"
fact key.readable "$(find / -xdev \( -path /run -o -path /packages -o -path /repository -o -path /results \) -prune -o -type f -perm -004 -print0 | xargs -0 grep -lF -f /run/key | tr '\n' ' ')"

# A file of settings that others than root may write counts for nothing, and the doctor says so.
echo CARDWIRE_CORS=https://evil.example >/etc/cardwire/cardwire.conf
chmod 666 /etc/cardwire/cardwire.conf
fact doctor.ignored "$(runuser -u alice -- cardwire doctor | grep -A1 'cardwire.conf is ignored' | tr '\n' ' ')"
fact done yes
