/** True if a browser can open the typed address: http or https, a host name with a dot, neither spaces nor credentials. */
export const isWebAddress = (address: string): boolean => {
  if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) return false
  const { hostname, username, password } = new URL(address)
  return hostname.includes('.') && username === '' && password === ''
}
