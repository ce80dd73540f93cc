/** What a page says when a change is refused, in English, by the name of the problem: what is wrong, and what to do. */

export const problems = {
  'body-malformed': 'The form couldn’t be read. Reload the page and try again.',
  'input-invalid': 'Some fields need to be corrected.',
  'body-too-large': 'This is too large to send. Choose a smaller file, or shorten the text.',
  'length-required': 'The file couldn’t be sent. Try another browser.',
  'request-too-slow': 'Sending took too long. Check your connection and try again.',
  'too-many-requests': 'Too many requests. Wait a moment and try again.',
  'digest-mismatch': 'The file doesn’t match its hash. Check both and upload the file again.',
  'revision-mismatch': 'Someone else changed this. Reload the page to see the current data.',
  'changed-meanwhile': 'Someone else made a change at the same time. Try again.',
  'group-unknown': 'This group no longer exists. Go back to the list.',
  'group-taken': 'Another group already has this name. Choose a different name.',
  'webhook-unknown': 'This webhook no longer exists. Go back to the list.',
  'webhook-limit': 'There are already 20 webhooks. Remove one that you no longer need.',
  'webhook-address-refused':
    'The URL must start with https:// and can’t point to a private or local address.',
  'delivery-unknown': 'This attempt is no longer stored. Reload the page.',
  'group-limit': 'There are already 100 groups. Remove one that you no longer need.',
  'group-in-use': 'A configuration or a rollout still uses this group. Remove it there first.',
  'group-untrusted':
    'A group can have a keystore only if each of its rules requires a tag assigned by administrators, because devices report all other values themselves.',
  'change-unknown':
    'This bulk change no longer exists, or it is older than 30 days. Go back to the list.',
  'change-taken': 'This form belongs to another change. Open the list of devices and start again.',
  'second-administrator':
    'Another administrator or publisher has to approve this change. Your request stays under “Approvals” for 24 hours. An account that an administrator added or changed in the last 7 days can’t approve it.',
  'approval-limit':
    'This change needs approval, but too many changes are already pending. Each account can have 10, and there can be 50 in total. Cancel one of them under “Approvals”.',
  'approval-unknown': 'This change is no longer pending approval. Go back to the list.',
  'reach-exceeded':
    'This change now affects more devices than you confirmed. Check the new number and confirm again.',
  'grant-refused': 'Sign-in failed. Try again.',
  'role-missing': 'You don’t have permission to do this. Ask an administrator.',
  'password-change-required': 'Change your password first.',
  'second-factor-setup-required': 'Set up two-factor authentication first.',
  'password-refused': 'The password is wrong. Try again.',
  'code-refused': 'The code is wrong. Enter the current code from your authenticator app.',
  'second-factor-unknown':
    'Two-factor authentication is off. Reload the page to see the current settings.',
  'second-factor-taken':
    'Two-factor authentication is already on. Reload the page to see the current settings.',
  'service-busy': 'The service is busy. Try again in a moment.',
  'service-stopping': 'The service is restarting. Try again in a moment.',
  'database-unavailable': 'The database is unavailable. Try again in a moment.',
  'packages-unavailable': 'Files can’t be read or changed right now. See the server log.',
  'provider-unreachable':
    'Your organization’s sign-in service is unavailable. Try again in a moment.',
  'disk-full': 'The server’s disk is full. Free up some space and try again.',
  'disk-failed': 'The server’s disk reported an error. See the server log.',
  internal: 'An unexpected error occurred. See the server log.',
  'version-taken':
    'This version already exists. Open it to change it, or choose a different version.',
  'version-in-use': 'This version still has configurations. Remove them first.',
  'version-unknown': 'This version no longer exists. Go back to the list.',
  'rollout-unknown': 'This rollout no longer exists. Go back to the list.',
  'rollout-taken':
    'This version already has a rollout. Open that one, or choose a different version.',
  'rollout-started': 'This rollout has already started and can’t be edited. You can halt it.',
  'rollout-state':
    'The rollout’s current status doesn’t allow this. Reload the page to see the status.',
  'version-unsuitable':
    'This version can’t be rolled out. A version for a rollout must be allowed, and neither suggested nor required.',
  'version-in-rollout': 'This version is in a rollout. Finish or remove the rollout first.',
  'installer-in-use':
    'A version or keystore uses this file. Remove it there first, or choose a different name.',
  'installer-unknown': 'This file no longer exists. Go back to the list.',
  'installers-missing':
    'On some devices, the connector would stop without an update to install. Add an installer for their system, or select “Continue anyway”.',
  'keystore-in-use': 'A configuration uses this keystore. Choose a different name.',
  'keystore-unknown': 'This keystore no longer exists. Go back to the list.',
  'keystore-locked':
    'The password doesn’t open this keystore. Enter the password that was used to create the file.',
  'keystore-unreadable':
    'This file can’t be opened as a keystore. Export the key and its certificate again, as a PKCS #12 file (.p12 or .pfx) with a password.',
  'keystore-unusable':
    'Connectors can’t use this keystore. It needs a server certificate that names its hosts, and the private key of that certificate.',
  'keystore-expired':
    'The certificate in this keystore has expired. Upload a keystore with a current one.',
  'configurations-large':
    'The configurations of a version can’t exceed 4 MB in total. Shorten one, or remove one that you no longer need.',
  'configuration-taken':
    'This version already has this configuration. Edit it, or remove it first.',
  'allowlist-missing':
    'Devices would update to a version without an allowlist, and no site could use their card readers. Add the allowlist first.',
  'revision-unknown':
    'This revision no longer exists, or can’t be restored. Choose a different one.',
  'configuration-moved':
    'A configuration can’t be moved to another version or organization. Add a new one there.',
  'configuration-unknown': 'This configuration no longer exists. Go back to the list.',
  'organization-taken': 'This organization already exists. Choose a different name.',
  'organization-in-use': 'This organization still has applications. Remove them first.',
  'organization-unknown': 'This organization no longer exists. Go back to the list.',
  'label-taken': 'This application already exists. Choose a different name.',
  'label-moved': 'An application can’t be moved to another organization. Add a new one there.',
  'label-unknown': 'This application no longer exists. Go back to the list.',
  'api-key-taken': 'Another application already has this API key. Create a new one.',
  'signing-key-unknown': 'This signing key no longer exists. Go back to the list.',
  'administrator-taken': 'An account with this name already exists. Choose a different name.',
  'administrator-last': 'At least one administrator is required. Add another one first.',
  'administrator-self': 'You can’t do this to your own account. Ask another administrator.',
  'administrator-unknown': 'This account no longer exists. Go back to the list.',
  'api-client-taken': 'An API client with this ID already exists. Choose a different ID.',
  'api-client-limit':
    'You’ve reached the limit for API clients or credentials. Remove one that you no longer need.',
  'api-client-unknown': 'This API client or credential no longer exists. Go back to the list.',
  'program-refused': 'API clients can’t do this. Sign in with your own account.',
  'session-unknown': 'This session has already ended. Reload the page to see the open sessions.',
  'device-unknown': 'This device no longer exists. Go back to the list.',
  'logs-unknown': 'These logs no longer exist. Go back to the device.',
}
