// Entry for wrappers that are Electron applications.
export {}
