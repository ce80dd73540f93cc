/** Starts the React page with the test double in place of a connector, for the tests of the components. */
import { createConnection } from '@cardwire/client/connection'
import { createTestConnector, createTestPerson, createTestToken } from '@cardwire/client/testing'
import { CardwireProvider, useConnection } from '@cardwire/react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const connector = createTestConnector({ readers: [{ id: 'a', name: 'Desk' }], consent: false })
/** What a test changes: whether the back end gives tokens, and what a component throws. */
const script = { token: true, defect: false }
const connection = createConnection({
  applicationDomain: 'shop',
  dsUrl: 'https://ds.example',
  initialize: connector.initialize,
  getToken: async () => {
    if (!script.token) throw new Error('Cannot get a token: 503')
    return createTestToken()
  },
})
const parameters = new URLSearchParams(location.search)
const first = parameters.get('fail')
if (first === 'token') script.token = false
else if (first) connector.fail(first as 'not-running')
document.documentElement.lang = parameters.get('language') ?? 'en'
Object.assign(globalThis, { connector, script, createTestPerson })

/** A component with a mistake, if the test says so. */
function Defect() {
  useConnection()
  if (script.defect) throw new Error('A mistake of the page')
  return null
}

const place = document.getElementById('root')
if (!place) throw new Error('Cannot find #root in the page')
createRoot(place).render(
  <StrictMode>
    <CardwireProvider connection={connection}>
      <App>
        <Defect />
      </App>
    </CardwireProvider>
  </StrictMode>,
)
