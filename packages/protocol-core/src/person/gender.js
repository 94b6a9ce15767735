/** What a sender may write for a gender: one of these, in any case (specification 4.5). */
export const genderSpellings = ['female', 'male', 'F', 'M'];
/**
 * Reads `female`, `male`, `F` or `M` in any case.
 *
 * @returns the gender, or `undefined` when the text is another word
 */
export function parseGender(text) {
    switch (text.trim().toLowerCase()) {
        case 'f':
        case 'female':
            return 'female';
        case 'm':
        case 'male':
            return 'male';
        default:
            return undefined;
    }
}
