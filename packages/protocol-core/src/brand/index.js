export { BrandError, defaultBrand, defineBrand } from './define-brand.ts';
export { pidOfPipe, pipeAddress, pipeName, unixPipePrefix } from './pipe-address.ts';
