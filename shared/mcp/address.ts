/** The address at which agents connect (Model Context Protocol, Streamable HTTP). */
export const mcpPath = '/mcp'
