export { foldNames } from './fold-names.ts';
export { issuesOf } from './issues.ts';
export { maxTextLength, optionalText, requiredText } from './text-field.ts';
export { optionalWireInteger, wireInteger } from './wire-integer.ts';
