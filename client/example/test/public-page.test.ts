/** The same page from the internet: the browser asks the person first, and both answers lead somewhere. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Demonstration, environmentIn, startDemonstration, trust } from './demonstration.ts'
import { type Front, host, startFront } from './front.ts'
import { accessibilityFaults, newPerson, type Opened, type Person } from './person.ts'

let person: Person
let front: Front
let demonstration: Demonstration
let address: string
let opened: Opened
beforeAll(async () => {
  person = await newPerson()
  front = await startFront(person.folder, join(person.folder, 'home'))
  address = `https://${host}:${front.port}`
  const settings = { DISPLAY: person.display, EXAMPLE_URL: address }
  const environment = await environmentIn(person.folder, settings)
  demonstration = await startDemonstration(environment)
  front.leadTo(Number(environment['EXAMPLE_PORT']))
  trust(environment)
  opened = await person.open(address, { flags: front.flags })
})
afterAll(async () => {
  await opened?.close()
  await demonstration?.stop()
  await front?.stop()
  await person?.leave()
})

const heading = (name: string) => opened.page.getByRole('heading', { level: 2, name })
const press = (name: string) => opened.page.getByRole('button', { name }).press('Enter')

/** What the person answers, or has answered before. */
async function decide(setting: 'granted' | 'denied'): Promise<void> {
  const session = await opened.page.context().newCDPSession(opened.page)
  const permission = { name: 'loopback-network' }
  await session.send('Browser.setPermission', { permission, setting, origin: address })
}

test('the page says what the browser will ask before it asks', async () => {
  await heading('Your browser will ask you first').waitFor()
  expect(await opened.page.getByRole('link', { name: 'Download Cardwire first' }).count()).toBe(1)
  expect(await accessibilityFaults(opened.page)).toEqual([])
})

test('a person who said no is told where to change it', async () => {
  await decide('denied')
  await press('Connect')
  await heading('Your browser keeps this page from Cardwire').waitFor()
  expect(await opened.page.getByText('allow it in the settings of the site').count()).toBe(1)
  expect(await accessibilityFaults(opened.page)).toEqual([])
})

test('a person who said yes goes on to their readers', async () => {
  await decide('granted')
  await press('Try again')
  await heading('Let this page use your card reader?').waitFor()
  await press('Copy the code and go on')
  await heading('Your card readers').waitFor()
  await press('Insert the virtual card')
  await opened.page.getByText('Belgium Electronic ID card').first().waitFor()
})
