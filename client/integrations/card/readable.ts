/** The greatest depth of JSON that is indented. Deeper, most of the text would be spaces. */
const maxDepth = 20

const depthOf = (text: string): number => {
  let [depth, most] = [0, 0]
  for (const sign of text) {
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
    most = Math.max(most, depth)
  }
  return most
}

/**
 * Indents a JSON body. A body stays as it came if it is no JSON, such as one that was cut off, if it is nested deeply, or if
 * JavaScript would show other values: of long numbers, of `1.10`, or of a name that is there twice.
 */
export const readable = (body: string): string => {
  if (depthOf(body) > maxDepth) return body
  try {
    const value: unknown = JSON.parse(body)
    const indented = JSON.stringify(value, null, 2)
    return [JSON.stringify(value), indented].includes(body.trim()) ? indented : body
  } catch {
    return body
  }
}
