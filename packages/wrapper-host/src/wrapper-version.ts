/** Version of this wrapper, four parts. Clients in the field insist on at least 2.1.4.19787 (specification 4.5). */
export const wrapperVersion = '3.0.0.0'
