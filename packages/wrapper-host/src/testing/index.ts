// Entry for tests of partners and integrators.
export {}
