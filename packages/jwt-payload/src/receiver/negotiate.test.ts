import { describe, expect, test } from 'vitest'
import { negotiate } from './negotiate.ts'

describe('negotiate', () => {
  test.each([
    [null, false, false],
    ['', false, false],
    ['*/*', false, false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', false, true],
    ['application/xhtml+xml', false, true],
    ['application/json', true, false],
    ['APPLICATION/JSON ; charset=utf-8', true, false],
    ['application/json, text/html', false, true],
    ['application/json;q=0.9, text/html;q=0.5', true, false],
    ['text/html;q=0.9, application/problem+json', false, false],
    ['application/problem+json', false, false],
    ['application/json;q=0', false, false],
    ['application/json;q=nonsense', false, false],
    [',;,;q=1,', false, false],
  ])('%s: link %s, HTML refusal %s', (accept, wantsLink, wantsHtmlProblem) => {
    expect(negotiate(accept)).toEqual({ wantsLink, wantsHtmlProblem })
  })
})
