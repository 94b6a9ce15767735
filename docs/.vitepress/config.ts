import { defineConfig } from 'vitepress'
export default defineConfig({
  title: 'service-link',
  ignoreDeadLinks: true,
  themeConfig: { search: { provider: 'local' } },
})
