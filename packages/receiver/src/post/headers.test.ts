import { describe, expect, test } from 'vitest'
import { negotiate } from './headers.ts'

describe('negotiate', () => {
  test.each([
    [null, undefined, false],
    ['', undefined, false],
    ['*/*', undefined, false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'page', true],
    ['application/xhtml+xml', 'page', true],
    ['application/json', 'link', false],
    ['APPLICATION/JSON ; charset=utf-8', 'link', false],
    ['application/json, text/html', 'page', true],
    ['application/json, text/html;q=1', 'page', true],
    ['application/json;v=1, text/html;q=1', 'page', true],
    ['application/json;q=0.9, text/html;q=0.5', 'link', false],
    ['text/html;q=0.9, application/problem+json', 'page', false],
    ['application/problem+json', undefined, false],
    ['application/json;q=0', undefined, false],
    ['application/json;q=nonsense', undefined, false],
    [',;,;q=1,', undefined, false],
  ])('%s: prefers %s, HTML refusal %s', (accept, prefers, wantsHtmlProblem) => {
    expect(negotiate(accept)).toEqual({ prefers, wantsHtmlProblem })
  })
})
