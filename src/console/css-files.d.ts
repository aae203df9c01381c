/** The bundler takes style sheets along with the code that imports them. */
declare module '*.css'
