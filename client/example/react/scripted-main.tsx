/** Starts the React page with the test double in place of a connector, for the tests of the components. */
import { createTestConnector } from '@cardwire/client/testing'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const connector = createTestConnector({ readers: [{ id: 'a', name: 'Desk' }], consent: false })
const configuration = { applicationDomain: 'shop' }
Object.assign(globalThis, { connector })
const place = document.getElementById('root')
if (!place) throw new Error('Cannot find #root in the page')
createRoot(place).render(<App connect={connector.initialize} configuration={configuration} />)
