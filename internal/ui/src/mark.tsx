/** The service's mark. */
export function Mark({ size = 30 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width={32} height={32} rx={9} fill="var(--brand)" />
      <path
        d="M7 17.5h4.2l2.6-7 4.4 12 2.7-7.2h4.1"
        fill="none"
        stroke="white"
        strokeWidth={2.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
