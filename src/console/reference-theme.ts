const SANS = 'Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
const MONO = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace'

/** The library computes shades of its own from these, so they cannot be the variables of our style sheet. */
export const theme = {
  spacing: { sectionVertical: 24 },
  colors: {
    primary: { main: '#1f5f4a' },
    success: { main: '#1b6a42' },
    warning: { main: '#7c4a03' },
    error: { main: '#a02a22' },
    text: { primary: '#1c1f1d', secondary: '#5a605c' },
    border: { dark: '#e4e2dc', light: '#e4e2dc' },
    responses: {
      success: { color: '#1b6a42', backgroundColor: '#e5f3ea' },
      error: { color: '#a02a22', backgroundColor: '#fcecea' },
      redirect: { color: '#4b515a', backgroundColor: '#eceef1' },
    },
    http: { get: '#1b6a42', post: '#1f4f8a' },
  },
  typography: {
    fontSize: '15px',
    lineHeight: '1.6',
    fontFamily: SANS,
    headings: { fontFamily: SANS, fontWeight: '620', lineHeight: '1.3' },
    code: { fontFamily: MONO, fontSize: '13px', color: '#1c1f1d', backgroundColor: '#f1f0ec', wrap: true },
    links: { color: '#1f5f4a', visited: '#1f5f4a', hover: '#174a39' },
  },
  sidebar: { backgroundColor: '#f6f5f2', textColor: '#1c1f1d', activeTextColor: '#1f5f4a' },
  rightPanel: { backgroundColor: '#1b1e1d', textColor: '#e8ebe8' },
  codeBlock: { backgroundColor: '#131514' },
}
