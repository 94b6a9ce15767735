// The receiver and the list of the service.
await import(import.meta.resolve('@service-link/service/measured'))
