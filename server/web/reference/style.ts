/** The colours are those of `client/ui/styles/tokens.css`. */
export const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d211f,#e8ecea);--soft:light-dark(#545c58,#a7b0ac);--line:light-dark(#e7e5e0,#2a322f);--brand:light-dark(#0b6b50,#4ccb9f);--tint:light-dark(#e6f2ec,#12352a);--surface:light-dark(#fff,#171c1a);--page:light-dark(#fbfaf8,#101413);--post:light-dark(#0b5cad,#82bdf5);--put:light-dark(#8a5300,#e8b25c);--delete:light-dark(#b3261e,#ff9a91)}
*{box-sizing:border-box}
[hidden]{display:none!important}
html{scroll-padding-top:5.5rem}
body{margin:0;font:16px/1.6 system-ui,sans-serif;color:var(--ink);background:var(--page)}
a{color:var(--brand)}
:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--surface);padding:.5rem 1rem;border-radius:8px;z-index:3}.skip:focus{top:.5rem}
.top{position:sticky;top:0;z-index:2;background:var(--page);border-bottom:1px solid var(--line)}
.top-in{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;max-width:92rem;margin:0 auto;padding:.6rem 1rem}
.top .home{font-weight:650;color:inherit;text-decoration:none;white-space:nowrap}
.top form{flex:1 1 14rem;display:flex;max-width:40rem}
.top .tongue{margin-left:auto;font-size:.9375rem}
input,textarea{font:inherit;color:inherit;background:var(--surface);border:1px solid light-dark(#8b928e,#68736e);border-radius:8px;padding:.4rem .7rem;min-height:2.5rem;width:100%;min-width:0}
textarea,.mono{font:13px/1.5 ui-monospace,monospace}
.secret{-webkit-text-security:disc}
button{font:inherit;color:inherit;background:var(--surface);border:1px solid light-dark(#8b928e,#68736e);border-radius:8px;padding:.35rem .8rem;min-height:2.5rem;cursor:pointer}
button:hover{background:var(--tint)}
button.main{background:light-dark(#0b6b50,#4ccb9f);color:light-dark(#fff,#06281d);border-color:transparent;font-weight:600}
button:disabled{opacity:.6;cursor:default}
.frame{display:grid;grid-template-columns:14rem minmax(0,1fr);gap:2.5rem;max-width:92rem;margin:0 auto;padding:1.5rem 1rem 6rem}
nav{position:sticky;top:4.5rem;align-self:start;max-height:calc(100vh - 5.5rem);overflow:auto}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:.35rem .75rem;border-radius:8px;color:inherit;text-decoration:none}
nav a:hover{background:var(--line)}
nav a[aria-current]{background:var(--tint);color:var(--brand);font-weight:600}
nav hr{border:0;border-top:1px solid var(--line);margin:.6rem .75rem}
main:focus{outline:0}
h1{margin:0 0 .5rem;line-height:1.2}h2{margin:2.5rem 0 .5rem;line-height:1.3}h3{margin:1.25rem 0 .4rem;font-size:1rem}
.intro{max-width:46rem;margin:0 0 .9rem}
.soft,.type,.limits{color:var(--soft)}
code,pre{font:.8125rem/1.55 ui-monospace,monospace}
code{background:var(--tint);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
pre{margin:0;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;overflow:auto;max-height:28rem}pre code{background:none;padding:0}
.call{border:1px solid var(--line);border-radius:10px;background:var(--surface);margin:.6rem 0}
.call>summary{cursor:pointer;padding:.6rem .9rem;list-style:none;border-radius:10px}
.call>summary::-webkit-details-marker{display:none}
.call>summary:hover{background:light-dark(#f4f3ef,#1d2422)}
.call h2{margin:0;font-size:.9375rem;display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline}
.call h2 code{background:none;padding:0;font-size:.875rem}
.call summary p{margin:0;color:var(--soft)}
.method{font:700 .75rem/1.6 ui-monospace,monospace;min-width:3.6rem}
.GET{color:var(--brand)}.POST{color:var(--post)}.PUT,.PATCH{color:var(--put)}.DELETE{color:var(--delete)}
.inside{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2rem;padding:0 .9rem 1rem;border-top:1px solid var(--line)}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.2rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0}
.fields{list-style:none;margin:0;padding:0}
.fields li{padding:.4rem 0;border-top:1px solid var(--line);overflow-wrap:anywhere}
.fields li>code:first-child{font-weight:600}
.fields p{margin:.1rem 0}
.fields .fields{margin:.3rem 0 0 .4rem;padding-left:.8rem;border-left:2px solid var(--line)}
.form{margin:.3rem 0}.form>summary{cursor:pointer;padding:.3rem 0}.form>.fields{margin-left:.4rem;padding-left:.8rem;border-left:2px solid var(--line)}
.form h3{display:inline}
.samples{border:0;margin:0;padding:0;min-width:0}
.samples legend{padding:0;font-weight:600;margin:1.25rem 0 .4rem}
.pick{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem;margin-bottom:.4rem}
.pick label{position:relative;padding:.25rem .75rem;border:1px solid var(--line);border-radius:8px;cursor:pointer;font-size:.875rem}
.pick input{position:absolute;inset:0;opacity:0;min-height:0;margin:0;cursor:pointer}
.pick label:has(:checked){background:var(--tint);color:var(--brand);border-color:var(--brand);font-weight:600}
.pick label:has(:focus-visible){outline:2px solid var(--brand);outline-offset:2px}
.pick .copy{margin-left:auto}
.copy{font-size:.875rem;min-height:2rem;padding:.15rem .7rem}
.samples pre{display:none}
.samples:has([value=curl]:checked) pre.curl,.samples:has([value=javascript]:checked) pre.javascript,.samples:has([value=python]:checked) pre.python{display:block}
.try{border:1px solid var(--line);border-radius:10px;padding:.2rem .9rem .9rem;margin-top:1.25rem}
.try label{display:block;margin:.6rem 0 0;font-size:.875rem}
.try textarea{display:block;resize:vertical}
.try .note{margin:.2rem 0 0;font-size:.875rem;color:var(--soft)}
.try .send{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-top:.9rem}
.answer{display:block;margin-top:.9rem}
.answer .state{font-weight:650}
.answer .refused{color:var(--delete)}.answer .done{color:var(--brand)}
.start{margin:2rem 0 0;max-width:56rem}
.links{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:.6rem 0 0;padding:0;list-style:none}
.parts{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.75rem;padding:0;list-style:none}
.parts li{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:.75rem 1rem}
.parts a{font-weight:600}.parts p{margin:.2rem 0 0;color:var(--soft);font-size:.9375rem}
.found{list-style:none;padding:0;margin:0}.found li{border-top:1px solid var(--line)}
.found a{display:block;padding:.6rem 0;color:inherit;text-decoration:none}.found a:hover{background:var(--tint)}
.found code{background:none;padding:0}.found p{margin:0;color:var(--soft)}
.wide{overflow:auto}table{border-collapse:collapse;width:100%;min-width:34rem}td,th{text-align:left;vertical-align:top;border-bottom:1px solid var(--line);padding:.4rem .75rem .4rem 0}
@media(max-width:75rem){.inside{grid-template-columns:minmax(0,1fr)}}
@media(max-width:56rem){.frame{grid-template-columns:minmax(0,1fr);gap:1rem;padding-top:.75rem}nav{position:static;max-height:none;margin:0 -1rem;padding:0 1rem .5rem;overflow-x:auto}nav ul{display:flex}nav a{white-space:nowrap}nav hr{display:none}nav .rest{display:none}}
@media(max-width:40rem){.top{position:static}html{scroll-padding-top:1rem}`
