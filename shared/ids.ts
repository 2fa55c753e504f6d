// Ids as text, for the server and the browser.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns whether the text is a UUID of any version. */
export const isId = (text: string): boolean => UUID.test(text)
