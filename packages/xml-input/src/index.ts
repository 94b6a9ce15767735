// This is the whole public surface. Withheld: the tables of names, so that they can change.
export { type BuildXmlOptions, buildXmlInput, escapeXml } from './build-xml-input.ts'
export { findForbiddenCharacter } from './check-xml.ts'
export { decodeXml } from './decode-xml.ts'
export { type ParseXmlOptions, parseXmlInput, type XmlInput } from './parse-xml-input.ts'
export {
  maxXmlBytes,
  maxXmlDepth,
  maxXmlElements,
  readXml,
  type XmlElement,
  type XmlLimits,
} from './read-xml.ts'
export {
  locateXml,
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
