const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (html: string) => html.replace(/&(#?\w+);/g, (_, name: string) => entities[name] ?? '')

/** The programs under an element of the API reference, by language. */
export const programsOf = (page: string, id: string): Record<'curl' | 'javascript' | 'python', string> => {
  const section = page.slice(page.indexOf(` id="${id}"`))
  const programOf = (language: string) =>
    unescaped(new RegExp(`<pre class="${language}"[^>]*><code>([\\s\\S]*?)</code>`).exec(section)?.[1] ?? '')
  return { curl: programOf('curl'), javascript: programOf('javascript'), python: programOf('python') }
}
