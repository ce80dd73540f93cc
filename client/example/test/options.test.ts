/** The options of `npm start`: a wrong one is named, with what to do. */
import { expect, test } from 'vitest'
import { getDataVariables, parseOptions, takeDataOption } from '../start/options.ts'
import { UsageError } from '../start/terminal.ts'

test('--allow is repeatable, and its origins are in the form of allowlists', () => {
  const args = ['--allow', 'HTTP://localhost:5173/', '--allow=https://shop.example:443']
  expect(parseOptions([...args, '--allow', 'http://localhost:5173'])).toEqual({
    allow: ['http://localhost:5173', 'https://shop.example'],
    data: undefined,
    help: false,
  })
  expect(parseOptions(['-h']).help).toBe(true)
})

const give = 'Give the scheme, the host and the port of the page, without a path, such as'
test.each([
  [
    ['--allow', 'http://localhost:5173/app'],
    `--allow "http://localhost:5173/app": expected an origin such as https://shop.example, or https://*.host. ${give} --allow http://localhost:5173`,
  ],
  [
    ['--allow', 'http://shop.example'],
    `--allow "http://shop.example": http is only for loopback. ${give} --allow http://localhost:5173`,
  ],
  [['--allow'], '--allow: expected an origin, such as --allow http://localhost:5173'],
  [['--allow', '--data', 'x'], '--allow: expected an origin, such as --allow'],
  [['--data'], '--data: expected a folder, such as --data data/another'],
  [['--data='], '--data: expected a folder, such as --data data/another'],
  [['--port', '1'], 'There is no option --port. For all options, run npm start -- --help'],
  [['http://localhost:5173'], 'To allow an origin, write --allow http://localhost:5173.'],
  [Array(101).fill('--allow=https://a.example'), '--allow: expected at most 100 origins, got 101'],
])('%j ends with a sentence that names the option and what to do', (args, sentence) => {
  const parse = () => parseOptions(args)
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(sentence)
})

test('an error repeats little of a long value, and no control characters', () => {
  const parse = () => parseOptions(['--allow', `http://\u001b[2J${'x'.repeat(100_000)}`])
  expect(parse).toThrow(/^--allow "http:\/\/ \[2J[x]{69}…": [^"]{1,300}$/)
  const parseHost = () => parseOptions(['--allow', `https://a,${'x'.repeat(200)}`])
  expect(parseHost).toThrow(/^--allow "https:\/\/a,x{70}…": "a,x{157}…\. Give the scheme/)
})

test('an option that npm took is named', () => {
  expect(() => parseOptions([], { npm_config_allow: 'http://localhost:5173' })).toThrow(
    'Put -- in front of the options: npm start -- --allow',
  )
})

test('--data moves all data, and is taken out of the arguments of other commands', () => {
  expect(getDataVariables('/srv/second')).toEqual({
    EXAMPLE_DATA: '/srv/second/example',
    DS_DATABASE: '/srv/second/cardwire.sqlite',
    DS_PACKAGES_DIR: '/srv/second/packages',
    DS_KEYSTORES_DIR: '/srv/second/keystores',
  })
  expect(getDataVariables(undefined)).toEqual({})
  const rest = ['revoke', 'http://localhost:8081']
  expect(takeDataOption(['revoke', '--data', 'a=b', 'http://localhost:8081'])).toEqual({
    data: 'a=b',
    rest,
  })
  expect(takeDataOption(['--data=a=b', ...rest])).toEqual({ data: 'a=b', rest })
  expect(takeDataOption(rest)).toEqual({ data: undefined, rest })
  expect(() => takeDataOption(['--data'])).toThrow('--data: expected a folder')
})
