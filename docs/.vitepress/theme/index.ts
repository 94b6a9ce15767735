import { type Theme, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import { keepLanguage } from './code-languages.ts'
import './look.css'

/** What an address without a page shows. */
const notFound = () =>
  h('main', { class: 'not-found' }, [
    h('h1', 'This page does not exist.'),
    h('p', ['Search for it above, or begin at ', h('a', { href: withBase('/') }, 'the first page'), '.']),
  ])

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': notFound }),
  setup: keepLanguage,
} satisfies Theme
