// Names and addresses; an own entry, so that a short-lived process need not load the schemas.
export type { Brand, BrandOptions, ProviderTypeNames } from './define-brand.ts'
export { BrandError, defaultBrand, defineBrand } from './define-brand.ts'
export { loginDisplay } from './login-display.ts'
export { pidOfPipe, pipeAddress, pipeName, unixPipeFolder, unixPipePrefix } from './pipe-address.ts'
export { installFileName, pipeKeyFileName, wrapperUserFolder } from './user-folder.ts'
