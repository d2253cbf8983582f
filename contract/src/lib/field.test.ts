import { expect, test } from 'vitest'
import { isClearText } from './field.ts'

test.each([
  ['http://courier.example/api', true],
  ['HTTP://10.0.0.5:8080', true],
  ['http://localhost.example', true],
  ['https://courier.example/api', false],
  ['http://127.0.0.1:9000/x', false],
  ['http://localhost', false],
  ['http://[::1]:80/', false],
  ['http://', false],
  ['ftp://a', false],
])('the address %s is unencrypted: %s', (address, expected) => {
  expect(isClearText(address)).toBe(expected)
})
