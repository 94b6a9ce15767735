// This is the whole public surface. Withheld: the tables of names, decoding and scanning, so that they can change.
export { type BuildXmlOptions, buildXmlInput } from './build-xml-input.ts'
export { maxXmlBytes, maxXmlDepth, maxXmlElements, type XmlLimits } from './limits.ts'
export { type ParseXmlOptions, parseXmlInput, type XmlInput } from './parse-xml-input.ts'
export {
  XmlCharacterError,
  XmlContentError,
  XmlDoctypeError,
  XmlEncodingError,
  type XmlError,
  type XmlErrorCode,
  XmlLimitError,
  type XmlLocation,
  XmlReadError,
  XmlRootError,
  XmlSyntaxError,
} from './xml-error.ts'
