/** Who may wait when all places are taken: approved devices before others, and no address takes all of them. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { createWaitingPlaces } from './waiting-places.ts'

const approved = (id: string, address = id) => ({ id, address, isApproved: true })
const unapproved = (id: string, address = id) => ({ id, address, isApproved: false })
type Guest = ReturnType<typeof approved>

/** Places with guests; `enter` gives who left for one, `refused` or `free`. */
function createPlaces(max: number, guests: readonly Guest[] = []) {
  const places = createWaitingPlaces<Guest>(max)
  const enter = (guest: Guest) => {
    const room = places.findRoom(guest)
    if (!room) return 'refused'
    if (room.leaves) places.remove(room.leaves)
    places.add(guest)
    return room.leaves?.id ?? 'free'
  }
  for (const guest of guests) enter(guest)
  return { places, enter }
}

test('devices without approval get a tenth of the places', () => {
  proves('waits-flood')
  const { places, enter } = createPlaces(20)
  const outcomes = ['a', 'b', 'c', 'd'].map((id) => enter(unapproved(id)))
  expect(outcomes).toEqual(['free', 'free', 'refused', 'refused'])
  places.remove(unapprovedOf(places, 'a'))
  expect(enter(unapproved('e'))).toBe('free')
})

test('an approved device takes the place of one without approval, and never the reverse', () => {
  proves('waits-flood')
  const { enter } = createPlaces(2, [unapproved('x'), approved('a')])
  expect(enter(approved('b'))).toBe('x')
  expect(enter(unapproved('y'))).toBe('refused')
  expect(enter(approved('c'))).toBe('refused')
})

test('when all places are taken, a device takes one of the address that has most', () => {
  proves('waits-flood')
  const office = ['1', '2', '3', '4'].map((id) => approved(id, 'office'))
  const { places, enter } = createPlaces(5, [...office, approved('home')])
  expect(enter(approved('5', 'office'))).toBe('refused')
  expect(enter(approved('another'))).toBe('1')
  expect(enter(approved('another 2', 'another'))).toBe('2')
  // Then no address has two more than another.
  expect(enter(approved('another 3', 'another'))).toBe('refused')
  expect(enter(approved('home 2', 'home'))).toBe('refused')
  expect([...places.values()].map(({ id }) => id)).toEqual([
    '3',
    '4',
    'home',
    'another',
    'another 2',
  ])
})

test('the places of devices without approval are shared by address, too', () => {
  proves('waits-flood')
  const flood = ['1', '2', '3'].map((id) => unapproved(id, 'flood'))
  const { enter } = createPlaces(30, flood)
  expect(enter(unapproved('4', 'flood'))).toBe('refused')
  expect(enter(unapproved('new'))).toBe('1')
})

test('one that waits has its place, and the address with most is found as devices come and go', () => {
  proves('waits-flood')
  const { places, enter } = createPlaces(4)
  const [a, b, c] = [approved('a', 'x'), approved('b', 'x'), approved('c', 'x')]
  const [d, e] = [approved('d', 'y'), approved('e', 'z')]
  for (const guest of [a, b, c, d]) expect(enter(guest)).toBe('free')
  expect(places.findRoom(a)).toEqual({})
  places.remove(a)
  places.remove(b)
  expect([places.size, enter(e)]).toEqual([2, 'free'])
  expect([enter(approved('f', 'y')), enter(approved('g', 'w'))]).toEqual(['free', 'd'])
  expect(enter(approved('h', 'z'))).toBe('refused')
})

const unapprovedOf = (places: { get(id: string): Guest | undefined }, id: string): Guest => {
  const guest = places.get(id)
  if (!guest) throw new Error(`${id} has no place`)
  return guest
}
