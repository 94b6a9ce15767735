/** Whether this page stands in a frame of another page: it then has a session of its own, and asks for no password. */
export const isInFrame = typeof window === 'object' && window.self !== window.top
