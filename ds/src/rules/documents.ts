/** The documents for administrators that the service shows, and the templates in them. Nothing else of `docs` has a name here. */

export const documentNames = [
  'install',
  'deploy',
  'rollout',
  'fleet-files',
  'api-clients',
  'settings',
  'connector-settings',
  'card-settings',
  'browser-policies',
  'cards',
] as const

export type DocumentName = (typeof documentNames)[number]

/** The files that the documents tell administrators to copy and change. */
const templates = [
  'policies/chromium.json',
  'policies/chromium-before-146.json',
  'policies/firefox.json',
  'policies/windows.reg',
  'policies/macos.mobileconfig',
  'prometheus-alerts.yml',
  'grafana-dashboard.json',
  'keycloak-realm.json',
  'rsyslog.conf',
] as const

/** A file in the folder of the documents. */
export type DocumentFile = `${DocumentName}.md` | (typeof templates)[number]

export const documentFiles: readonly DocumentFile[] = [
  ...documentNames.map((name) => `${name}.md` as const),
  ...templates,
]

/** A name from outside; undefined: there is no such document. */
export const findDocumentName = (name: string | undefined): DocumentName | undefined =>
  documentNames.find((known) => known === name)

/** The same for the path of a template. */
export const findTemplate = (path: string | undefined): DocumentFile | undefined =>
  templates.find((known) => known === path)
