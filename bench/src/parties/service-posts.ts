// The receiver and the list of the demo's service. It comes from sources, because the demo is no package to depend on.
await import(new URL('../../../apps/demo/test/support/measured-service.ts', import.meta.url).href)
