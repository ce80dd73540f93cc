# The page of the example, in a machine where a user has downloaded the package, installed it, and logged in.
. /repository/connector/test/binary/packages/service.sh
page=http://localhost:8081
begin alice
start_distribution_service "$page"
download_package
install_downloaded
fact install.status $?

# The back end of the page, as an organization has one, and the card of a user whom it lets in.
mkdir -p /srv/card
start_card /repository/node_modules/.bin/bun /repository/connector/packages/test/insert-user-card.ts /srv/card/atr
wait_for 20 test -s /srv/card/atr.keys.json
systemd-run --quiet --unit=example --working-directory=/repository --setenv=EXAMPLE_DS_URL="$ds" --setenv=EXAMPLE_PORT=8081 \
  --setenv=EXAMPLE_API_KEY="$(administer label)" --setenv=EXAMPLE_ROOTS=/srv/card/atr.authority.pem \
  --setenv=EXAMPLE_REVOCATIONS=/srv/card/atr.authority.crl.pem \
  "$node" client/example/back-end/main.ts
address() { journalctl --no-pager -o cat -u example | sed -n 's/^open //p' | tail -1; }
has_address() { [ -n "$(address)" ]; }
wait_for 20 has_address

# Nothing is typed after the install: a session, a browser, a PIN.
start_desktop alice
session start alice
fact session.starts "$(tells wait_for 20 agent_ready alice)"
wait_for 20 user_good alice
fact session.browsersTrust "$(nss alice)"
fact page.says "$(runuser -u alice -- env DISPLAY=:7 HOME=/home/alice "$node" /repository/connector/packages/test/sign-in.ts "$(address)" 2>/results/page.log)"
cp /home/alice/page.png /results 2>/dev/null
fact done yes
