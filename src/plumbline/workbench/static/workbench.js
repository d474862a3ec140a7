var Pt, D, ns, fe, Jn, ls, ss, Vt, yt, Ve, rs, xn, sn, rn, os, Ct = {}, Tt = [], zr = /acit|ex(?:s|g|n|p|$)|rph|grid|ows|mnc|ntw|ine[ch]|zoo|^ord|itera/i, Rt = Array.isArray;
function he(e, t) {
  for (var n in t) e[n] = t[n];
  return e;
}
function $n(e) {
  e && e.parentNode && e.parentNode.removeChild(e);
}
function Ur(e, t, n) {
  var l, r, o, i = {};
  for (o in t) o == "key" ? l = t[o] : o == "ref" ? r = t[o] : i[o] = t[o];
  if (arguments.length > 2 && (i.children = arguments.length > 3 ? Pt.call(arguments, 2) : n), typeof e == "function" && e.defaultProps != null) for (o in e.defaultProps) i[o] === void 0 && (i[o] = e.defaultProps[o]);
  return _t(e, i, l, r, null);
}
function _t(e, t, n, l, r) {
  var o = { type: e, props: t, key: n, ref: l, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: r ?? ++ns, __i: -1, __u: 0 };
  return r == null && D.vnode != null && D.vnode(o), o;
}
function x(e) {
  return e.children;
}
function Ge(e, t) {
  this.props = e, this.context = t;
}
function Ne(e, t) {
  if (t == null) return e.__ ? Ne(e.__, e.__i + 1) : null;
  for (var n; t < e.__k.length; t++) if ((n = e.__k[t]) != null && n.__e != null) return n.__e;
  return typeof e.type == "function" ? Ne(e) : null;
}
function Vr(e) {
  if (e.__P && e.__d) {
    var t = e.__v, n = t.__e, l = [], r = [], o = he({}, t);
    o.__v = t.__v + 1, D.vnode && D.vnode(o), Sn(e.__P, o, t, e.__n, e.__P.namespaceURI, 32 & t.__u ? [n] : null, l, n ?? Ne(t), !!(32 & t.__u), r), o.__v = t.__v, o.__.__k[o.__i] = o, ds(l, o, r), t.__e = t.__ = null, o.__e != n && is(o);
  }
}
function is(e) {
  if ((e = e.__) != null && e.__c != null) return e.__e = e.__c.base = null, e.__k.some(function(t) {
    if (t != null && t.__e != null) return e.__e = e.__c.base = t.__e;
  }), is(e);
}
function on(e) {
  (!e.__d && (e.__d = !0) && fe.push(e) && !Mt.__r++ || Jn != D.debounceRendering) && ((Jn = D.debounceRendering) || ls)(Mt);
}
function Mt() {
  try {
    for (var e, t = 1; fe.length; ) fe.length > t && fe.sort(ss), e = fe.shift(), t = fe.length, Vr(e);
  } finally {
    fe.length = Mt.__r = 0;
  }
}
function as(e, t, n, l, r, o, i, a, c, u, d) {
  var f, h, m, p, g, b, v = l && l.__k || Tt, y = t.length;
  for (c = Gr(n, t, v, c, y), f = 0; f < y; f++) (m = n.__k[f]) != null && (h = m.__i != -1 && v[m.__i] || Ct, m.__i = f, b = Sn(e, m, h, r, o, i, a, c, u, d), p = m.__e, m.ref && h.ref != m.ref && (h.ref && Cn(h.ref, null, m), d.push(m.ref, m.__c || p, m)), g == null && p != null && (g = p), 4 & m.__u ? (c = cs(m, c, e), h.__e && (h.__e = null)) : typeof m.type == "function" && b !== void 0 ? c = b : p && (c = p.nextSibling), m.__u &= -7);
  return n.__e = g, c;
}
function Gr(e, t, n, l, r) {
  var o, i, a, c, u, d = n.length, f = d, h = 0;
  for (e.__k = new Array(r), o = 0; o < r; o++) (i = t[o]) != null && typeof i != "boolean" && typeof i != "function" ? (typeof i == "string" || typeof i == "number" || typeof i == "bigint" || i.constructor == String ? i = e.__k[o] = _t(null, i, null, null, null) : Rt(i) ? i = e.__k[o] = _t(x, { children: i }, null, null, null) : i.constructor === void 0 && i.__b > 0 ? i = e.__k[o] = _t(i.type, i.props, i.key, i.ref ? i.ref : null, i.__v) : e.__k[o] = i, c = o + h, i.__ = e, i.__b = e.__b + 1, a = null, (u = i.__i = Jr(i, n, c, f)) != -1 && (f--, (a = n[u]) && (a.__u |= 2)), a == null || a.__v == null ? (u == -1 && (r > d ? h-- : r < d && h++), typeof i.type != "function" && (i.__u |= 4)) : u != c && (u == c - 1 ? h-- : u == c + 1 ? h++ : (u > c ? h-- : h++, i.__u |= 4))) : e.__k[o] = null;
  if (f) for (o = 0; o < d; o++) (a = n[o]) != null && (2 & a.__u) == 0 && (a.__e == l && (l = Ne(a)), fs(a, a));
  return l;
}
function cs(e, t, n) {
  var l, r;
  if (typeof e.type == "function") {
    for (l = e.__k, r = 0; l && r < l.length; r++) l[r] && (l[r].__ = e, t = cs(l[r], t, n));
    return t;
  }
  e.__e != t && (t && e.type && !t.parentNode && (t = Ne(e)), t = n.insertBefore(e.__e, t || null));
  do
    t = t && t.nextSibling;
  while (t != null && t.nodeType == 8);
  return t;
}
function Jr(e, t, n, l) {
  var r, o, i, a = e.key, c = e.type, u = t[n], d = u != null && (2 & u.__u) == 0;
  if (u === null && a == null || d && a == u.key && c == u.type) return n;
  if (l > (d ? 1 : 0)) {
    for (r = n - 1, o = n + 1; r >= 0 || o < t.length; ) if ((u = t[i = r >= 0 ? r-- : o++]) != null && (2 & u.__u) == 0 && a == u.key && c == u.type) return i;
  }
  return -1;
}
function Kn(e, t, n) {
  t[0] == "-" ? e.setProperty(t, n ?? "") : e[t] = n == null ? "" : typeof n != "number" || zr.test(t) ? n : n + "px";
}
function dt(e, t, n, l, r) {
  var o, i;
  e: if (t == "style") if (typeof n == "string") e.style.cssText = n;
  else {
    if (typeof l == "string" && (e.style.cssText = l = ""), l) for (t in l) n && t in n || Kn(e.style, t, "");
    if (n) for (t in n) l && n[t] == l[t] || Kn(e.style, t, n[t]);
  }
  else if (t[0] == "o" && t[1] == "n") o = t != (t = t.replace(rs, "$1")), i = t.toLowerCase(), t = i in e || t == "onFocusOut" || t == "onFocusIn" ? i.slice(2) : t.slice(2), e.l || (e.l = {}), e.l[t + o] = n, n ? l ? n[Ve] = l[Ve] : (n[Ve] = xn, e.addEventListener(t, o ? rn : sn, o)) : e.removeEventListener(t, o ? rn : sn, o);
  else {
    if (r == "http://www.w3.org/2000/svg") t = t.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
    else if (t != "width" && t != "height" && t != "href" && t != "list" && t != "form" && t != "tabIndex" && t != "download" && t != "rowSpan" && t != "colSpan" && t != "role" && t != "popover" && t in e) try {
      e[t] = n ?? "";
      break e;
    } catch {
    }
    typeof n == "function" || (n == null || n === !1 && t[4] != "-" ? e.removeAttribute(t) : e.setAttribute(t, t == "popover" && n == 1 ? "" : n));
  }
}
function Qn(e) {
  return function(t) {
    if (this.l) {
      var n = this.l[t.type + e];
      if (t[yt] == null) t[yt] = xn++;
      else if (t[yt] < n[Ve]) return;
      return n(D.event ? D.event(t) : t);
    }
  };
}
function Sn(e, t, n, l, r, o, i, a, c, u) {
  var d, f, h, m, p, g, b, v, y, w, S, L, F, W, V, Ce, H = t.type;
  if (t.constructor !== void 0) return null;
  128 & n.__u && (c = !!(32 & n.__u), o = [a = t.__e = n.__e]), (d = D.__b) && d(t);
  e: if (typeof H == "function") {
    f = i.length;
    try {
      if (y = t.props, w = H.prototype && H.prototype.render, S = (d = H.contextType) && l[d.__c], L = d ? S ? S.props.value : d.__ : l, n.__c ? v = (h = t.__c = n.__c).__ = h.__E : (w ? t.__c = h = new H(y, L) : (t.__c = h = new Ge(y, L), h.constructor = H, h.render = Qr), S && S.sub(h), h.state || (h.state = {}), h.__n = l, m = h.__d = !0, h.__h = [], h._sb = []), w && h.__s == null && (h.__s = h.state), w && H.getDerivedStateFromProps != null && (h.__s == h.state && (h.__s = he({}, h.__s)), he(h.__s, H.getDerivedStateFromProps(y, h.__s))), p = h.props, g = h.state, h.__v = t, m) w && H.getDerivedStateFromProps == null && h.componentWillMount != null && h.componentWillMount(), w && h.componentDidMount != null && h.__h.push(h.componentDidMount);
      else {
        if (w && H.getDerivedStateFromProps == null && y !== p && h.componentWillReceiveProps != null && h.componentWillReceiveProps(y, L), t.__v == n.__v || !h.__e && h.shouldComponentUpdate != null && h.shouldComponentUpdate(y, h.__s, L) === !1) {
          t.__v != n.__v && (h.props = y, h.state = h.__s, h.__d = !1), t.__e = n.__e, t.__k = n.__k, t.__k.some(function(ae) {
            ae && (ae.__ = t);
          }), Tt.push.apply(h.__h, h._sb), h._sb = [], h.__h.length && i.push(h), a = Ne(n);
          break e;
        }
        h.componentWillUpdate != null && h.componentWillUpdate(y, h.__s, L), w && h.componentDidUpdate != null && h.__h.push(function() {
          h.componentDidUpdate(p, g, b);
        });
      }
      if (h.context = L, h.props = y, h.__P = e, h.__e = !1, F = D.__r, W = 0, w) h.state = h.__s, h.__d = !1, F && F(t), d = h.render(h.props, h.state, h.context), Tt.push.apply(h.__h, h._sb), h._sb = [];
      else do
        h.__d = !1, F && F(t), d = h.render(h.props, h.state, h.context), h.state = h.__s;
      while (h.__d && ++W < 25);
      h.state = h.__s, h.getChildContext != null && (l = he(he({}, l), h.getChildContext())), w && !m && h.getSnapshotBeforeUpdate != null && (b = h.getSnapshotBeforeUpdate(p, g)), V = d != null && d.type === x && d.key == null ? hs(d.props.children) : d, a = as(e, Rt(V) ? V : [V], t, n, l, r, o, i, a, c, u), h.base = t.__e, t.__u &= -161, h.__h.length && i.push(h), v && (h.__E = h.__ = null);
    } catch (ae) {
      if (i.length = f, t.__v = null, c || o != null) {
        if (ae.then) {
          for (t.__u |= c ? 160 : 128; a && a.nodeType == 8 && a.nextSibling; ) a = a.nextSibling;
          o != null && (o[o.indexOf(a)] = null), t.__e = a;
        } else if (o != null) for (Ce = o.length; Ce--; ) $n(o[Ce]);
      } else t.__e = n.__e;
      t.__k == null && (t.__k = n.__k || []), ae.then || us(t), D.__e(ae, t, n);
    }
  } else o == null && t.__v == n.__v ? (t.__k = n.__k, t.__e = n.__e) : a = t.__e = Kr(n.__e, t, n, l, r, o, i, c, u);
  return (d = D.diffed) && d(t), 128 & t.__u ? void 0 : a;
}
function us(e) {
  e && (e.__c && (e.__c.__e = !0), e.__k && e.__k.some(us));
}
function ds(e, t, n) {
  for (var l = 0; l < n.length; l++) Cn(n[l], n[++l], n[++l]);
  D.__c && D.__c(t, e), e.some(function(r) {
    try {
      e = r.__h, r.__h = [], e.some(function(o) {
        o.call(r);
      });
    } catch (o) {
      D.__e(o, r.__v);
    }
  });
}
function hs(e) {
  return typeof e != "object" || e == null || e.__b > 0 ? e : Rt(e) ? e.map(hs) : e.constructor !== void 0 ? null : he({}, e);
}
function Kr(e, t, n, l, r, o, i, a, c) {
  var u, d, f, h, m, p, g, b = n.props || Ct, v = t.props, y = t.type;
  if (y == "svg" ? r = "http://www.w3.org/2000/svg" : y == "math" ? r = "http://www.w3.org/1998/Math/MathML" : r || (r = "http://www.w3.org/1999/xhtml"), o != null) {
    for (u = 0; u < o.length; u++) if ((m = o[u]) && "setAttribute" in m == !!y && (y ? m.localName == y : m.nodeType == 3)) {
      e = m, o[u] = null;
      break;
    }
  }
  if (e == null) {
    if (y == null) return document.createTextNode(v);
    e = document.createElementNS(r, y, v.is && v), a && (D.__m && D.__m(t, o), a = !1), o = null;
  }
  if (y == null) b === v || a && e.data == v || (e.data = v);
  else {
    if (o = y == "textarea" && v.defaultValue != null ? null : o && Pt.call(e.childNodes), !a && o != null) for (b = {}, u = 0; u < e.attributes.length; u++) b[(m = e.attributes[u]).name] = m.value;
    for (u in b) m = b[u], u == "dangerouslySetInnerHTML" ? f = m : u == "children" || u in v || u == "value" && "defaultValue" in v || u == "checked" && "defaultChecked" in v || dt(e, u, null, m, r);
    for (u in v) m = v[u], u == "children" ? h = m : u == "dangerouslySetInnerHTML" ? d = m : u == "value" ? p = m : u == "checked" ? g = m : a && typeof m != "function" || b[u] === m || dt(e, u, m, b[u], r);
    if (d) a || f && (d.__html == f.__html || d.__html == e.innerHTML) || (e.innerHTML = d.__html), t.__k = [];
    else if (f && (e.innerHTML = ""), as(t.type == "template" ? e.content : e, Rt(h) ? h : [h], t, n, l, y == "foreignObject" ? "http://www.w3.org/1999/xhtml" : r, o, i, o ? o[0] : n.__k && Ne(n, 0), a, c), o != null) for (u = o.length; u--; ) $n(o[u]);
    a && y != "textarea" || (u = "value", y == "progress" && p == null ? e.removeAttribute("value") : p != null && (p !== e[u] || y == "progress" && !p || y == "option" && p != b[u]) && dt(e, u, p, b[u], r), u = "checked", g != null && g != e[u] && dt(e, u, g, b[u], r));
  }
  return e;
}
function Cn(e, t, n) {
  try {
    if (typeof e == "function") {
      var l = typeof e.__u == "function";
      l && e.__u(), l && t == null || (e.__u = e(t));
    } else e.current = t;
  } catch (r) {
    D.__e(r, n);
  }
}
function fs(e, t, n) {
  var l, r;
  if (D.unmount && D.unmount(e), (l = e.ref) && (l.current && l.current != e.__e || Cn(l, null, t)), (l = e.__c) != null) {
    if (l.componentWillUnmount) try {
      l.componentWillUnmount();
    } catch (o) {
      D.__e(o, t);
    }
    l.base = l.__P = l.__n = null;
  }
  if (l = e.__k) for (r = 0; r < l.length; r++) l[r] && fs(l[r], t, n || typeof e.type != "function");
  n || $n(e.__e), e.__c = e.__ = e.__e = void 0;
}
function Qr(e, t, n) {
  return this.constructor(e, n);
}
function Xn(e, t, n) {
  var l, r, o, i;
  t == document && (t = document.documentElement), D.__ && D.__(e, t), r = (l = !1) ? null : t.__k, o = [], i = [], Sn(t, e = t.__k = Ur(x, null, [e]), r || Ct, Ct, t.namespaceURI, r ? null : t.firstChild ? Pt.call(t.childNodes) : null, o, r ? r.__e : t.firstChild, l, i), ds(o, e, i), e.props.children = null;
}
function Lt(e) {
  function t(n) {
    var l, r;
    return this.getChildContext || (l = /* @__PURE__ */ new Set(), (r = {})[t.__c] = this, this.getChildContext = function() {
      return r;
    }, this.componentWillUnmount = function() {
      l = null;
    }, this.shouldComponentUpdate = function(o) {
      this.props.value != o.value && l.forEach(function(i) {
        i.__e = !0, on(i);
      });
    }, this.sub = function(o) {
      l.add(o);
      var i = o.componentWillUnmount;
      o.componentWillUnmount = function() {
        l && l.delete(o), i && i.call(o);
      };
    }), n.children;
  }
  return t.__c = "__cC" + os++, t.__ = e, t.Provider = t.__l = (t.Consumer = function(n, l) {
    return n.children(l);
  }).contextType = t, t;
}
Pt = Tt.slice, D = { __e: function(e, t, n, l) {
  for (var r, o, i; t = t.__; ) if ((r = t.__c) && !r.__) try {
    if ((o = r.constructor) && o.getDerivedStateFromError != null && (r.setState(o.getDerivedStateFromError(e)), i = r.__d), r.componentDidCatch != null && (r.componentDidCatch(e, l || {}), i = r.__d), i) return r.__E = r;
  } catch (a) {
    e = a;
  }
  throw e;
} }, ns = 0, Ge.prototype.setState = function(e, t) {
  var n;
  n = this.__s != null && this.__s != this.state ? this.__s : this.__s = he({}, this.state), typeof e == "function" && (e = e(he({}, n), this.props)), e && he(n, e), e != null && this.__v && (t && this._sb.push(t), on(this));
}, Ge.prototype.forceUpdate = function(e) {
  this.__v && (this.__e = !0, e && this.__h.push(e), on(this));
}, Ge.prototype.render = x, fe = [], ls = typeof Promise == "function" ? Promise.prototype.then.bind(Promise.resolve()) : setTimeout, ss = function(e, t) {
  return e.__v.__b - t.__v.__b;
}, Mt.__r = 0, Vt = Math.random().toString(8), yt = "__d" + Vt, Ve = "__a" + Vt, rs = /(PointerCapture)$|Capture$/i, xn = 0, sn = Qn(!1), rn = Qn(!0), os = 0;
var Xr = 0;
function s(e, t, n, l, r, o) {
  t || (t = {});
  var i, a, c = t;
  if ("ref" in c) for (a in c = {}, t) a == "ref" ? i = t[a] : c[a] = t[a];
  var u = { type: e, props: c, key: n, ref: i, __k: null, __: null, __b: 0, __e: null, __c: null, constructor: void 0, __v: --Xr, __i: -1, __u: 0, __source: r, __self: o };
  if (typeof e == "function" && (i = e.defaultProps)) for (a in i) c[a] === void 0 && (c[a] = i[a]);
  return D.vnode && D.vnode(u), u;
}
var _e, q, Gt, Yn, tt = 0, ms = [], B = D, Zn = B.__b, el = B.__r, tl = B.diffed, nl = B.__c, ll = B.unmount, sl = B.__;
function Be(e, t) {
  B.__h && B.__h(q, e, tt || t), tt = 0;
  var n = q.__H || (q.__H = { __: [], __h: [] });
  return e >= n.__.length && n.__.push({}), n.__[e];
}
function _(e) {
  return tt = 1, ps(gs, e);
}
function ps(e, t, n) {
  var l = Be(_e++, 2);
  if (l.t = e, !l.__c && (l.__ = [gs(void 0, t), function(a) {
    var c = l.__N ? l.__N[0] : l.__[0], u = l.t(c, a);
    c !== u && (l.__N = [u, l.__[1]], l.__c.setState({}));
  }], l.__c = q, !q.__f)) {
    var r = function(a, c, u) {
      if (!l.__c.__H) return !0;
      var d = !1, f = l.__c.props !== a;
      if (l.__c.__H.__.some(function(m) {
        if (m.__N) {
          d = !0;
          var p = m.__[0];
          m.__ = m.__N, m.__N = void 0, p !== m.__[0] && (f = !0);
        }
      }), o) {
        var h = o.call(this, a, c, u);
        return d ? h || f : h;
      }
      return !d || f;
    };
    q.__f = !0;
    var o = q.shouldComponentUpdate, i = q.componentWillUpdate;
    q.componentWillUpdate = function(a, c, u) {
      if (this.__e) {
        var d = o;
        o = void 0, r(a, c, u), o = d;
      }
      i && i.call(this, a, c, u);
    }, q.shouldComponentUpdate = r;
  }
  return l.__N || l.__;
}
function P(e, t) {
  var n = Be(_e++, 3);
  !B.__s && Tn(n.__H, t) && (n.__ = e, n.u = t, q.__H.__h.push(n));
}
function Ee(e, t) {
  var n = Be(_e++, 4);
  !B.__s && Tn(n.__H, t) && (n.__ = e, n.u = t, q.__h.push(n));
}
function N(e) {
  return tt = 5, Y(function() {
    return { current: e };
  }, []);
}
function Y(e, t) {
  var n = Be(_e++, 7);
  return Tn(n.__H, t) && (n.__ = e(), n.__H = t, n.__h = e), n.__;
}
function rl(e, t) {
  return tt = 8, Y(function() {
    return e;
  }, t);
}
function It(e) {
  var t = q.context[e.__c], n = Be(_e++, 9);
  return n.c = e, t ? (n.__ == null && (n.__ = !0, t.sub(q)), t.props.value) : e.__;
}
function U() {
  var e = Be(_e++, 11);
  if (!e.__) {
    for (var t = q.__v; t !== null && !t.__m && t.__ !== null; ) t = t.__;
    var n = t.__m || (t.__m = [0, 0]);
    e.__ = "P" + n[0] + "-" + n[1]++;
  }
  return e.__;
}
function Yr() {
  for (var e; e = ms.shift(); ) {
    var t = e.__H;
    if (e.__P && t) try {
      t.__h.some(wt), t.__h.some(an), t.__h = [];
    } catch (n) {
      t.__h = [], B.__e(n, e.__v);
    }
  }
}
B.__b = function(e) {
  q = null, Zn && Zn(e);
}, B.__ = function(e, t) {
  e && t.__k && t.__k.__m && (e.__m = t.__k.__m), sl && sl(e, t);
}, B.__r = function(e) {
  el && el(e), _e = 0;
  var t = (q = e.__c).__H;
  t && (Gt === q ? (t.__h = [], q.__h = [], t.__.some(function(n) {
    n.__N && (n.__ = n.__N), n.u = n.__N = void 0;
  })) : (t.__h.some(wt), t.__h.some(an), t.__h = [], _e = 0)), Gt = q;
}, B.diffed = function(e) {
  tl && tl(e);
  var t = e.__c;
  t && t.__H && (t.__H.__h.length && (ms.push(t) !== 1 && Yn === B.requestAnimationFrame || ((Yn = B.requestAnimationFrame) || Zr)(Yr)), t.__H.__.some(function(n) {
    n.u && (n.__H = n.u, n.u = void 0);
  })), Gt = q = null;
}, B.__c = function(e, t) {
  t.some(function(n) {
    try {
      n.__h.some(wt), n.__h = n.__h.filter(function(l) {
        return !l.__ || an(l);
      });
    } catch (l) {
      t.some(function(r) {
        r.__h && (r.__h = []);
      }), t = [], B.__e(l, n.__v);
    }
  }), nl && nl(e, t);
}, B.unmount = function(e) {
  ll && ll(e);
  var t, n = e.__c;
  n && n.__H && (n.__H.__.some(function(l) {
    try {
      wt(l);
    } catch (r) {
      t = r;
    }
  }), n.__H = void 0, t && B.__e(t, n.__v));
};
var ol = typeof requestAnimationFrame == "function";
function Zr(e) {
  var t, n = function() {
    clearTimeout(l), ol && cancelAnimationFrame(t), setTimeout(e);
  }, l = setTimeout(n, 35);
  ol && (t = requestAnimationFrame(n));
}
function wt(e) {
  var t = q, n = e.__c;
  typeof n == "function" && (e.__c = void 0, n()), q = t;
}
function an(e) {
  var t = q;
  e.__c = e.__(), q = t;
}
function Tn(e, t) {
  return !e || e.length !== t.length || t.some(function(n, l) {
    return n !== e[l];
  });
}
function gs(e, t) {
  return typeof t == "function" ? t(e) : t;
}
class le extends Error {
  constructor(t) {
    super(t.message), this.failure = t;
  }
}
const eo = 100, il = 100;
class to {
  constructor(t, n) {
    this.host = t, this.table = n;
  }
  trouble = null;
  // the table is gone, or nobody answers
  kept = /* @__PURE__ */ new Map();
  flights = /* @__PURE__ */ new Map();
  listeners = /* @__PURE__ */ new Set();
  known(t) {
    return this.knownAs(JSON.stringify(t));
  }
  knownAs(t) {
    return this.kept.get(t);
  }
  // Who asks what is being asked already waits with the others; the last one to leave cancels it.
  async ask(t, n = {}) {
    const l = JSON.stringify(t), { signal: r, onProgress: o } = n;
    if (this.kept.has(l)) return this.used(l);
    r?.throwIfAborted();
    const i = this.flights.get(l) ?? this.start(l, t);
    return i.waiting += 1, o && i.told.add(o), new Promise((a, c) => {
      const u = () => {
        o && i.told.delete(o), i.waiting -= 1, i.waiting === 0 && this.drop(l, i), c(r.reason);
      }, d = () => r?.removeEventListener("abort", u);
      r?.addEventListener("abort", u, { once: !0 }), i.answer.then((f) => (d(), a(f)), (f) => (d(), c(f)));
    });
  }
  // Tell the server that somebody still looks at the table.
  async alive() {
    try {
      await this.host.alive(this.table), this.heard(null);
    } catch (t) {
      this.heard(se(t));
    }
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  start(t, n) {
    const l = new AbortController(), r = /* @__PURE__ */ new Set(), o = (u, d) => r.forEach((f) => f(u, d)), i = this.host.ask(this.table, n, { signal: l.signal, onProgress: o }).then(
      (u) => (this.keep(t, u), this.heard(null), u),
      (u) => {
        throw this.heard(se(u)), u;
      }
    ), a = { answer: i, controller: l, waiting: 0, told: r };
    this.flights.set(t, a);
    const c = () => this.flights.get(t) === a && this.flights.delete(t);
    return i.then(c, c), a;
  }
  drop(t, n) {
    this.flights.get(t) === n && this.flights.delete(t), n.controller.abort();
  }
  used(t) {
    const n = this.kept.get(t);
    return this.kept.delete(t), this.kept.set(t, n), n;
  }
  keep(t, n) {
    this.kept.set(t, n), this.kept.size > eo && this.kept.delete(this.kept.keys().next().value);
  }
  heard(t) {
    if (!(t !== null && t.kind !== "gone" && t.kind !== "offline") && t?.kind !== this.trouble?.kind) {
      this.trouble = t;
      for (const n of [...this.listeners]) n();
    }
  }
}
const bs = Lt(null), te = () => It(bs);
function A(e, t = {}) {
  const n = te(), l = e === null ? null : JSON.stringify(e), [r, o] = _(0), i = N(null), [a, c] = _(null), [u, d] = _(null), [, f] = _(0), h = N(null), m = l === null || i.current?.key === l ? void 0 : n.knownAs(l);
  l !== null && m !== void 0 && (i.current = { key: l, answer: m }), P(() => {
    if (l === null || (d(null), c(null), i.current?.key === l)) return;
    const y = new AbortController();
    h.current = y;
    const w = () => h.current === y, S = (W, V) => w() && d(V ? Math.floor(il * W / V) / il : null), L = (W) => w() && c({ key: l, failure: se(W) });
    y.signal.addEventListener("abort", () => L(y.signal.reason), { once: !0 });
    const F = setTimeout(() => {
      y.signal.aborted || n.ask(JSON.parse(l), { signal: y.signal, onProgress: S }).then((W) => {
        w() && (i.current = { key: l, answer: W }, f((V) => V + 1));
      }, L);
    }, t.delay ?? 0);
    return () => {
      clearTimeout(F), h.current = null, y.abort();
    };
  }, [n, l, r]);
  const p = rl(() => h.current?.abort(), []), g = rl(() => o((y) => y + 1), []), b = i.current !== null && i.current.key === l, v = !b && a !== null && a.key === l ? a.failure : null;
  return {
    answer: i.current?.answer ?? null,
    stale: i.current !== null && !b,
    busy: l !== null && !b && v === null,
    progress: u,
    error: v,
    cancel: p,
    retry: g
  };
}
function se(e) {
  return e instanceof le ? e.failure : e instanceof DOMException && e.name === "AbortError" ? { kind: "cancelled", message: "Cancelled." } : { kind: "crash", message: e instanceof Error ? e.message : String(e) };
}
const Mn = {
  preset: "roc",
  x: null,
  y: null,
  y2: null,
  sort_by: null,
  direction: null,
  merge: null,
  average: null,
  points: null,
  thresholds: null,
  span: null,
  band: "none",
  multiclass: null,
  x_title: null,
  y_title: null,
  params: {},
  hull: !1
}, no = { models: null, folds: null, where: "", weighted: !0, target: null }, al = (e) => Array.isArray(e) && e.every((t) => typeof t == "string") ? e : null, lo = (e) => ({
  ...e,
  models: al(e.models),
  folds: al(e.folds),
  target: typeof e.target == "string" ? e.target : null
}), so = {
  model: null,
  view: null,
  scheme: "equal-width",
  bins: 15,
  least: null,
  distance: "absolute",
  resamples: 999,
  others: !1,
  statistic: "omnibus",
  open: [],
  by: null,
  worst: !1,
  effect: "overconfident",
  sizes: {},
  power: 0.8,
  level: 0.05,
  n: null,
  planStatistic: "omnibus",
  datasets: null,
  method: "auto"
}, ro = {
  bins: "",
  view: "",
  ranges: null,
  metric: null,
  pair: null,
  test: null,
  over: "",
  groups: "",
  after: "",
  rope: null,
  test_share: null,
  adjust: "holm",
  level: 0.95
}, oo = { against: !1, shares: "none", interval: "auto", level: 0.95, cell: null }, io = { name: "Board", pins: [] }, ao = {
  optimum: null,
  measure: null,
  subject_to: "",
  between: null,
  cases_of: null,
  difference: null,
  subgroups: null,
  iso_cost: null
};
function ot(e, t) {
  return Array.isArray(e) && e.length === 2 && e.every((l) => typeof l === t && !Number.isNaN(l)) ? e : null;
}
const vs = ["curves", "calibration", "models", "matrix", "board"], ce = {
  table: null,
  room: "curves",
  threshold: null,
  data: no,
  curve: Mn,
  reading: ao,
  calibration: so,
  models: ro,
  matrix: oo,
  board: io
}, co = 200;
class An {
  state;
  past = [];
  future = [];
  merging = null;
  listeners = /* @__PURE__ */ new Set();
  constructor(t = ce) {
    this.state = t;
  }
  // Changes that follow each other under one `merge` name make one step of undo: a slider being dragged.
  change(t, n = null) {
    cl(this.state, t) && ((n === null || n !== this.merging) && (this.past = [...this.past.slice(1 - co), this.state]), this.merging = n, this.future = [], this.set({ ...this.state, ...t }));
  }
  // Change some fields of one room's part.
  edit(t, n, l = null) {
    cl(this.state[t], n) && this.change({ [t]: { ...this.state[t], ...n } }, l);
  }
  // Take over a state from elsewhere (a URL, a board) without a step of undo.
  replace(t) {
    this.merging = null, this.set(t);
  }
  // Walking through the rooms is no change: undo goes back to what was changed, wherever that was.
  go(t) {
    t !== this.state.room && this.replace({ ...this.state, room: t });
  }
  // Another table, or none: what was chosen for the last one means nothing here, and there is no way back.
  open(t) {
    this.past = [], this.future = [], this.replace({ ...ce, table: t });
  }
  get canUndo() {
    return this.past.length > 0;
  }
  get canRedo() {
    return this.future.length > 0;
  }
  undo() {
    const t = this.past.pop();
    t && (this.future.push(this.state), this.merging = null, this.set(t));
  }
  redo() {
    const t = this.future.pop();
    t && (this.past.push(this.state), this.merging = null, this.set(t));
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  set(t) {
    this.state = t;
    for (const n of [...this.listeners]) n();
  }
}
function cl(e, t) {
  const n = e;
  return Object.entries(t).some(([l, r]) => r !== n[l] && JSON.stringify(r) !== JSON.stringify(n[l]));
}
const ys = Lt(new An()), $ = () => It(ys);
function k(e) {
  const t = $();
  return nt(t, () => e(t.state));
}
function nt(e, t) {
  const [, n] = ps((o) => o + 1, 0), l = t(), r = N({ read: t, seen: l });
  return r.current = { read: t, seen: l }, Ee(() => {
    const o = () => {
      Object.is(r.current.read(), r.current.seen) || n(void 0);
    };
    return o(), e.subscribe(o);
  }, [e]), l;
}
function uo({ of: e }) {
  const { warnings: t, notes: n } = e ?? {}, l = [...ul(t).map((r) => ({ text: r, warning: !0 })), ...ul(n).map((r) => ({ text: r, warning: !1 }))];
  return l.length ? /* @__PURE__ */ s("ul", { class: "hints", "aria-label": "Notes", children: l.map(({ text: r, warning: o }) => /* @__PURE__ */ s("li", { class: o ? "warning" : void 0, children: [
    o && /* @__PURE__ */ s("strong", { children: "Note: " }),
    r
  ] }, r)) }) : null;
}
const ul = (e) => Array.isArray(e) ? [...new Set(e.filter((t) => typeof t == "string"))] : [];
function Z({ failure: e, retry: t }) {
  return e.kind === "cancelled" ? /* @__PURE__ */ s(T, { children: [
    "Cancelled. ",
    t && /* @__PURE__ */ s("button", { onClick: t, children: "Compute again" })
  ] }) : /* @__PURE__ */ s("div", { class: "notice", role: "alert", children: [
    /* @__PURE__ */ s("p", { children: e.message }),
    e.formula !== void 0 && e.start !== void 0 && /* @__PURE__ */ s("pre", { children: `${e.formula}
${" ".repeat(e.start)}${"^".repeat(Math.max(1, (e.end ?? 0) - e.start))}` }),
    t && /* @__PURE__ */ s("button", { onClick: t, children: "Try again" })
  ] });
}
const T = ({ children: e }) => /* @__PURE__ */ s("p", { class: "hint", children: e });
function O(e, t = 4) {
  if (e == null || Number.isNaN(e)) return "–";
  if (!Number.isFinite(e)) return e > 0 ? "∞" : "−∞";
  if (e === 0) return "0";
  const n = Math.abs(e);
  return (Number.isInteger(e) && n < 1e15 ? e.toLocaleString("en", { maximumFractionDigits: 0 }) : n >= 1e7 || n < 1e-4 ? e.toExponential(t - 1) : Number(e.toPrecision(Math.max(t, Math.floor(Math.log10(n)) + 1))).toLocaleString("en", { maximumSignificantDigits: 15 })).replaceAll("-", "−");
}
const re = (e) => e == null ? "–" : `${O(100 * e, 3)} %`;
function E(e, t, n = `${t}s`) {
  return `${O(e)} ${e === 1 ? t : n}`;
}
function Nn({ what: e, progress: t, cancel: n }) {
  const [l, r] = _(!1);
  if (P(() => {
    const i = setTimeout(() => r(!0), 300);
    return () => clearTimeout(i);
  }, []), !l) return null;
  const o = t != null;
  return /* @__PURE__ */ s("div", { class: "waiting", children: [
    /* @__PURE__ */ s("span", { role: "status", children: [
      e,
      " …"
    ] }),
    /* @__PURE__ */ s("progress", { "aria-label": e, ...o ? { value: t, max: 1 } : {} }),
    o && /* @__PURE__ */ s("span", { children: re(t) }),
    n && /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Cancel" })
  ] });
}
function I({ of: e, what: t, children: n }) {
  const l = e.answer !== null, r = ["answer", e.stale && (e.busy || e.error) ? "stale" : "", l ? "over" : ""];
  return /* @__PURE__ */ s("div", { class: r.filter(Boolean).join(" "), "aria-busy": e.busy, children: [
    e.busy && /* @__PURE__ */ s(Nn, { what: t, progress: e.progress, cancel: e.cancel }),
    e.error && /* @__PURE__ */ s(Z, { failure: e.error, retry: e.retry }),
    l && /* @__PURE__ */ s("div", { class: "held", children: [
      n(e.answer),
      /* @__PURE__ */ s(uo, { of: e.answer })
    ] })
  ] });
}
function C({ value: e, digits: t, name: n }) {
  return /* @__PURE__ */ s("data", { value: e == null ? "" : String(e), "data-name": n, title: e == null ? void 0 : String(e), children: O(e, t) });
}
function j({ caption: e, columns: t, rows: n, onPick: l }) {
  return /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": e, children: /* @__PURE__ */ s("table", { children: [
    /* @__PURE__ */ s("caption", { children: e }),
    /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: t.map((r) => /* @__PURE__ */ s("th", { scope: "col", children: r.title }, r.title)) }) }),
    /* @__PURE__ */ s("tbody", { children: n.map((r, o) => /* @__PURE__ */ s("tr", { ...l ? { onClick: () => l(r), class: "pickable" } : {}, children: t.map((i) => {
      const a = i.value(r);
      return typeof a == "number" ? /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(C, { value: a, ...i.name ? { name: i.name } : {} }) }, i.title) : /* @__PURE__ */ s("td", { children: a ?? "–" }, i.title);
    }) }, o)) })
  ] }) });
}
const ho = [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239], fo = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1], mo = [-0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968, 2.938163982698783], po = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1], dl = 0.02425, Ue = (e, t) => e.reduce((n, l) => n * t + l, 0);
function _s(e) {
  if (Number.isNaN(e)) return NaN;
  if (e <= 0) return -1 / 0;
  if (e >= 1) return 1 / 0;
  if (e > 1 - dl) return -_s(1 - e);
  if (e < dl) {
    const n = Math.sqrt(-2 * Math.log(e));
    return Ue(mo, n) / Ue(po, n);
  }
  const t = e - 0.5;
  return Ue(ho, t * t) * t / Ue(fo, t * t);
}
function ws(e) {
  if (e < 0) return 1 - ws(-e);
  const t = 1 / (1 + 0.2316419 * e), n = Ue([1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153, 0], t);
  return 1 - Math.exp(-e * e / 2) / Math.sqrt(2 * Math.PI) * n;
}
const go = 0.07;
function At(e, t) {
  if (e === "linear") return t;
  const n = Math.min(1, Math.max(0, t));
  return e === "logit" ? Math.log(n / (1 - n)) : _s(n);
}
function bo(e, t) {
  return e === "linear" ? t : e === "logit" ? 1 / (1 + Math.exp(-t)) : ws(t);
}
function Je(e, t = {}) {
  const { kind: n = "linear", floor: l } = t;
  let [r, o, i, a] = [1 / 0, -1 / 0, !1, !1];
  for (const u of e)
    for (let d = 0; d < u.length; d++) {
      const f = At(n, l !== void 0 && u[d] < l ? l : u[d]);
      f === 1 / 0 ? a = !0 : f === -1 / 0 ? i = !0 : (f < r && (r = f), f > o && (o = f));
    }
  t.domain && ([r, o] = t.domain.map((u) => At(n, u))), (!(r <= o) || !Number.isFinite(o - r)) && ([r, o] = n === "linear" ? [0, 1] : [-2, 2]), t.domain || ([r, o] = vo(r, o, n, t));
  const c = go * (o - r);
  return { kind: n, low: r, high: o, below: i ? r - c : null, above: a ? o + c : null };
}
function vo(e, t, n, l) {
  if (n === "linear" && l.square) return [Math.min(0, e), Math.max(1, t)];
  if (n === "linear" && e >= 0 && t <= 1 && t - e >= 0.5) return [0, 1];
  if (n === "linear" && l.zero && e >= 0) return [0, t || 1];
  if (n === "linear" && l.zero && t <= 0) return [e, 0];
  if (e === t) {
    const r = Math.max(0.5, Math.abs(e) / 2);
    return [e - r, t + r];
  }
  return [e, t];
}
function Fe(e, t, n) {
  const l = e.below ?? e.low, r = e.above ?? e.high, o = (n - t) / (r - l), { kind: i } = e;
  return {
    extent: e,
    place: (a) => {
      const c = At(i, a);
      return c === 1 / 0 ? n : c === -1 / 0 ? t : t + (c - l) * o;
    },
    value: (a) => {
      const c = l + (a - t) / o;
      return bo(i, Math.min(e.high, Math.max(e.low, c)));
    }
  };
}
const yo = [1, 2, 2.5, 5, 10], _o = [1e-4, 1e-3, 2e-3, 5e-3, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9999];
function wo(e, t, n) {
  if (!(t > e) || !Number.isFinite(t - e)) return Number.isFinite(e) ? [e] : [];
  const l = (t - e) / Math.max(1, n - 1), r = 10 ** Math.floor(Math.log10(l));
  for (const o of [...yo, 20, 25, 50]) {
    const i = o * r, a = Math.ceil(e / i - 1e-9), c = Math.floor(t / i + 1e-9);
    if (c - a + 1 <= Math.max(2, n)) return Array.from({ length: Math.max(0, c - a + 1) }, (u, d) => ks((a + d) * i));
  }
  return [e, t];
}
const ks = (e) => Number(e.toPrecision(12)) + 0;
function ko(e, t) {
  const n = Math.max(Math.abs(e), t);
  if (e === 0) return "0";
  if (n >= 1e9 || n < 1e-5) return O(e, 3);
  const l = Math.max(0, Math.ceil(-Math.log10(t) - 1e-9)), r = Math.abs(t * 10 ** l - Math.round(t * 10 ** l)) > 1e-6 ? 1 : 0;
  return e.toLocaleString("en", { maximumFractionDigits: Math.min(20, l + r) }).replace("-", "−");
}
function kt(e, t) {
  const { extent: n } = e, l = xo(n, e);
  if (n.kind !== "linear") return [...l, ...$o(e, t, l)];
  const r = Math.abs(e.place(n.high) - e.place(n.low)), o = wo(n.low, n.high, Math.max(2, Math.floor(r / t) + 1)), i = o.length > 1 ? o[1] - o[0] : Math.abs(o[0] ?? 1);
  return [...l, ...o.map((a) => ({ value: a, pixel: e.place(a), text: ko(a, i) }))];
}
function xo(e, t) {
  const n = e.kind !== "linear", l = [];
  return e.below !== null && l.push({ value: n ? 0 : -1 / 0, pixel: t.place(n ? 0 : -1 / 0), text: n ? "0 %" : "−∞", edge: !0 }), e.above !== null && l.push({ value: n ? 1 : 1 / 0, pixel: t.place(n ? 1 : 1 / 0), text: n ? "100 %" : "∞", edge: !0 }), l;
}
function $o(e, t, n) {
  const { extent: l } = e, r = n.map((i) => i.pixel), o = [];
  for (const i of [..._o].sort((a, c) => Math.abs(a - 0.5) - Math.abs(c - 0.5))) {
    const a = At(l.kind, i), c = e.place(i);
    a < l.low - 1e-9 || a > l.high + 1e-9 || r.some((u) => Math.abs(u - c) < t) || (r.push(c), o.push({ value: i, pixel: c, text: `${ks(100 * i)} %` }));
  }
  return o.sort((i, a) => i.value - a.value);
}
const So = 12, me = 7, Co = 24, To = 440, On = 22, ve = (e, t = So) => {
  let n = 0;
  for (const l of e) n += /[ilj.,:;'|!()\s]/.test(l) ? 0.3 : /[A-ZMWmw%@]/.test(l) ? 0.76 : 0.56;
  return n * t;
}, qe = (e, t) => e.length <= t ? e : `${e.slice(0, t - 1)}…`;
function Mo(e) {
  const { width: t, square: n } = e, l = No(e), r = e.x.names, o = r !== void 0 && Oo(r, t - 60), i = 42 + (o ? 0.58 * Math.max(0, ...r.map((F) => ve(qe(F, On)))) - 4 : 0), a = Co + 4, c = e.height ?? (n ? To + a + i : t < 500 ? 280 : 340), u = Math.max(40, Math.min(c - a - i, n ? t - 60 : 1 / 0)), d = hl(l.y, u), f = l.right && hl(l.right, u), h = 12 + Math.max(14, ...d.ticks.map((F) => ve(F.text)), o ? 30 : 0), m = f ? 12 + Math.max(14, ...f.ticks.map((F) => ve(F.text))) : 16, p = Math.max(40, t - h - m), g = n ? Math.min(p, u) : u, b = a + g, v = h + (n ? g : p), y = Fe(l.y, b - me, a + me), w = l.right && Fe(l.right, b - me, a + me), S = Fe(l.x, h + me, v - me), L = 34;
  return {
    width: n ? v + m : t,
    height: b + i,
    left: h,
    right: v,
    top: a,
    bottom: b,
    x: S,
    y,
    right2: w,
    xTicks: r ? Eo(r, S) : kt(S, Ao(l.x)),
    yTicks: kt(y, L),
    rightTicks: w ? kt(w, L) : [],
    turned: o
  };
}
function hl(e, t) {
  return { ticks: kt(Fe(e, t - me, me), 34) };
}
function Ao(e) {
  return e.kind !== "linear" ? 52 : Math.max(56, 18 + Math.max(...[e.low, e.high].map((t) => ve(Math.round(t).toLocaleString("en")))));
}
function No({ series: e, x: t, y: n, right: l, square: r }) {
  const o = e.some((f) => f.style === "bars"), i = (f) => e.filter((h) => (h.axis ?? "left") === f && !h.guide).flatMap((h) => [h.y, ...h.low ? [fl(h.low)] : [], ...h.high ? [fl(h.high)] : []]), a = e.filter((f) => !f.guide).flatMap((f) => f.x1 ? [f.x, f.x1] : [f.x]), c = (f, h) => f.some((m) => m.length) ? f : e.map((m) => m[h]), u = c(i("left"), "y"), d = n.scale ?? "linear";
  return {
    x: t.names ? { kind: "linear", low: -0.5, high: Math.max(0.5, t.names.length - 0.5), below: null, above: null } : Je(c(a, "x"), { kind: t.scale, domain: t.domain, square: r }),
    y: Je(u, { kind: d, domain: n.domain, floor: n.floor, square: r, zero: n.zero ?? (o || t.names !== void 0) }),
    right: l ? Je(i("right"), { kind: l.scale, domain: l.domain, floor: l.floor, zero: l.zero ?? o }) : null
  };
}
const fl = (e) => e.filter((t) => Number.isFinite(t));
function Oo(e, t) {
  return (Math.max(0, ...e.map((l) => ve(qe(l, On)))) + 10) * e.length > t;
}
function Eo(e, t) {
  const n = Math.abs(t.place(1) - t.place(0)), l = Math.max(1, Math.ceil(16 / n));
  return e.map((r, o) => ({ value: o, pixel: t.place(o), text: qe(r, On) })).filter((r, o) => o % l === 0);
}
const Le = (e) => Math.round(e) + 0.5;
function Po({ frame: e }) {
  const { left: t, right: n, top: l, bottom: r } = e;
  return /* @__PURE__ */ s("g", { class: "chart-grid", children: [
    e.yTicks.map((o) => /* @__PURE__ */ s("line", { class: o.edge ? "edge" : void 0, x1: t, x2: n, y1: Le(o.pixel), y2: Le(o.pixel) }, `y${o.text}`)),
    e.xTicks.map((o) => /* @__PURE__ */ s("line", { class: o.edge ? "edge" : void 0, x1: Le(o.pixel), x2: Le(o.pixel), y1: l, y2: r }, `x${o.text}`)),
    /* @__PURE__ */ s("path", { class: "chart-base", d: `M${Le(t)},${l}V${Le(r)}H${n}${e.right2 ? `V${l}` : ""}` })
  ] });
}
function Ro({ frame: e, x: t, y: n, right: l }) {
  const { bottom: r, turned: o } = e, i = l ? e.width / 2 - 8 : e.width - 4;
  return /* @__PURE__ */ s("g", { class: "chart-axes", children: [
    /* @__PURE__ */ s(Jt, { x: 0, y: 14, text: n.title, room: i, anchor: "start" }),
    l && /* @__PURE__ */ s(Jt, { x: e.width, y: 14, text: l.title, room: i, anchor: "end" }),
    /* @__PURE__ */ s(Jt, { x: (e.left + e.right) / 2, y: e.height - 6, text: t.title, room: e.width - 8, anchor: "middle" }),
    e.yTicks.map((a) => /* @__PURE__ */ s("text", { x: e.left - 6, y: a.pixel, dy: "0.35em", "text-anchor": "end", children: a.text }, a.text)),
    e.rightTicks.map((a) => /* @__PURE__ */ s("text", { x: e.right + 6, y: a.pixel, dy: "0.35em", children: a.text }, a.text)),
    e.xTicks.map(
      (a) => o ? /* @__PURE__ */ s("text", { x: a.pixel + 4, y: r + 12, "text-anchor": "end", transform: `rotate(-38 ${a.pixel + 4} ${r + 12})`, children: a.text }, a.value) : /* @__PURE__ */ s("text", { x: a.pixel, y: r + 16, "text-anchor": "middle", children: a.text }, a.value)
    )
  ] });
}
function Jt({ x: e, y: t, text: n, room: l, anchor: r }) {
  const o = Math.max(8, Math.floor(n.length * Math.min(1, l / Math.max(1, ve(n, 13)))));
  return /* @__PURE__ */ s("text", { class: "chart-title", x: e, y: t, "text-anchor": r, children: [
    qe(n, o),
    o < n.length && /* @__PURE__ */ s("title", { children: n })
  ] });
}
function En(e) {
  const t = [];
  let [n, l] = [!0, !0];
  for (let r = 0; r < e.length; r++) {
    const o = e[r];
    if (Number.isNaN(o)) continue;
    const i = t.length ? e[t[t.length - 1]] : o;
    o > i && (n = !1), o < i && (l = !1), t.push(r);
  }
  return !n && l ? t.reverse() : n || t.sort((r, o) => e[r] === e[o] ? r - o : e[o] > e[r] ? 1 : -1), Int32Array.from(t);
}
function we(e, t, n) {
  if (!t.length || Number.isNaN(n)) return -1;
  let [l, r] = [0, t.length];
  for (; l < r; ) {
    const o = l + r >> 1;
    e[t[o]] >= n ? l = o + 1 : r = o;
  }
  return Math.max(0, l - 1);
}
function xs(e, t, n, l) {
  const r = Math.sign(l);
  let o = n;
  for (let i = Math.abs(l); i > 0; i--) {
    let a = o + r;
    for (; a >= 0 && a < t.length && e[t[a]] === e[t[o]]; ) a += r;
    if (a < 0 || a >= t.length) break;
    o = a;
  }
  return o;
}
function xt(e, t, n, l = !1) {
  let r = null, o = 1 / 0;
  for (let i = 0; i < e.length; i++) {
    const a = e[i];
    if (!a) continue;
    const { px: c, py: u } = a;
    for (let d = 0; d < c.length; d++) {
      const f = c[d] - t, h = u[d] - n, m = l ? f * f + 1e-6 * h * h : f * f + h * h;
      m < o && (o = m, r = { series: i, point: d, distance: 0 });
    }
  }
  return r && (r.distance = Math.sqrt(o)), r;
}
const ml = 22, $s = (e, t) => e.drawn.filter((n) => n.grip && !t.has(n.series.id));
function Lo({ picture: e, hidden: t, range: n }) {
  const { frame: l, swept: r } = e, o = $s(e, t);
  if (r || !o.length) {
    const [i, a] = [n.low, n.high].map((c) => Math.min(l.right, Math.max(l.left, l.x.place(c))));
    return /* @__PURE__ */ s("rect", { class: "chart-stretch", x: Math.min(i, a), y: l.top, width: Math.max(1, Math.abs(a - i)), height: l.bottom - l.top });
  }
  return /* @__PURE__ */ s("g", { children: o.map((i) => /* @__PURE__ */ s("path", { class: "chart-stretch-line", d: Io(i, n) }, i.series.id)) });
}
function Io(e, { low: t, high: n }) {
  const l = e.series.threshold, [r, o] = [we(l, e.ladder, n), we(l, e.ladder, t)], i = Array.from(e.ladder.subarray(r, o + 1), (a) => [e.px[a], e.py[a]]).filter(([a, c]) => !Number.isNaN(a + c));
  return i.length ? `M${i.map(([a, c]) => `${a.toFixed(1)},${c.toFixed(1)}`).join("L")}` : "";
}
function Do({ picture: e, hidden: t, range: n, unit: l }) {
  const r = $s(e, t).find((o) => !o.series.muted) ?? null;
  return /* @__PURE__ */ s(x, { children: ["low", "high"].map((o) => /* @__PURE__ */ s(Fo, { end: o, picture: e, one: r, range: n, unit: r ? "threshold" : l }, o)) });
}
function Fo({ end: e, picture: t, one: n, range: l, unit: r }) {
  const o = N(!1), i = N(0), a = N({ picture: t, one: n, range: l });
  a.current = { picture: t, one: n, range: l };
  const c = (p, g) => {
    const { low: b, high: v, onMove: y } = a.current.range;
    e === "low" ? y(Math.min(p, v), v, g) : y(b, Math.max(p, b), g);
  }, u = (p, g) => {
    const b = p.currentTarget.parentElement.getBoundingClientRect(), [v, y] = [p.clientX - b.left, p.clientY - b.top];
    cancelAnimationFrame(i.current);
    const w = () => c(jo(a.current, v, y), g);
    g ? w() : i.current = requestAnimationFrame(w);
  }, d = l[e], [f, h] = qo(t, n, d), m = (p) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(-Number.MAX_SAFE_INTEGER, p));
  return /* @__PURE__ */ s(
    "div",
    {
      class: `chart-handle ${e}`,
      role: "slider",
      tabIndex: 0,
      "aria-label": e === "low" ? `Lower ${r}` : `Upper ${r}`,
      "aria-valuenow": m(d),
      "aria-valuetext": `${r} ${O(d, 3)}`,
      "aria-valuemin": m(e === "low" ? -1 / 0 : l.low),
      "aria-valuemax": m(e === "low" ? l.high : 1 / 0),
      style: { transform: `translate(${f - ml / 2}px, ${h - ml / 2}px)` },
      onPointerDown: (p) => {
        o.current = !0, p.currentTarget.setPointerCapture(p.pointerId);
      },
      onPointerMove: (p) => o.current && u(p, !1),
      onPointerUp: (p) => {
        o.current && u(p, !0), o.current = !1;
      },
      onKeyDown: (p) => {
        const g = Bo(a.current, e, p.key);
        g !== null && (p.preventDefault(), c(g, !0));
      }
    }
  );
}
function qo({ frame: e, swept: t }, n, l) {
  const r = (e.top + e.bottom) / 2;
  if (t || !n) return [Math.min(e.right, Math.max(e.left, e.x.place(l))), r];
  const o = n.ladder[we(n.series.threshold, n.ladder, l)];
  return [n.px[o], n.py[o]];
}
function jo({ picture: e, one: t }, n, l) {
  const r = t && xt([t.grip], n, l, e.swept);
  return r ? t.series.threshold[r.point] : e.frame.x.value(n);
}
function Bo({ picture: e, one: t, range: n }, l, r) {
  const o = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1 / 0, End: 1 / 0 }[r];
  if (o === void 0) return null;
  const { extent: i } = e.frame.x;
  if (!t) return Math.min(i.high, Math.max(i.low, n[l] + o * (i.high - i.low) / 100));
  const { ladder: a, series: c } = t;
  return Number.isFinite(o) ? c.threshold[a[xs(c.threshold, a, we(c.threshold, a, n[l]), -o)]] : c.threshold[a[o < 0 ? a.length - 1 : 0]];
}
function Me(e, t) {
  const n = new Float32Array(e.length);
  for (let l = 0; l < e.length; l++) n[l] = t.place(e[l]);
  return n;
}
function Wo(e) {
  let [t, n] = [!0, !0];
  for (let l = 1; l < e.length; l++)
    e[l] < e[l - 1] && (t = !1), e[l] > e[l - 1] && (n = !1);
  return n ? "after" : t ? "before" : null;
}
function Kt(e, t, n) {
  if (e.length < 2) return [e, t];
  const l = 2 * e.length - 1, [r, o] = [new Float32Array(l), new Float32Array(l)];
  for (let i = 0; i < e.length; i++)
    [r[2 * i], o[2 * i]] = [e[i], t[i]], i + 1 < e.length && (r[2 * i + 1] = n === "after" ? e[i + 1] : e[i], o[2 * i + 1] = n === "after" ? t[i] : t[i + 1]);
  return [r, o];
}
function Ho(...e) {
  const t = [], n = e[0]?.length ?? 0;
  let l = -1;
  for (let r = 0; r <= n; r++) {
    const o = r < n && e.every((i) => !Number.isNaN(i[r]));
    o && l < 0 && (l = r), !o && l >= 0 && (t.push([l, r]), l = -1);
  }
  return t;
}
function zo(e, t) {
  return e <= t ? Array.from({ length: e }, (n, l) => l) : Array.from({ length: t }, (n, l) => Math.round(l * (e - 1) / (t - 1)));
}
function Uo(e, t, n, l) {
  const r = [];
  let o = n;
  for (let i = 1; i < e.length; i++) {
    const [a, c] = [e[i] - e[i - 1], t[i] - t[i - 1]], u = Math.hypot(a, c);
    if (!(u > 0)) continue;
    let d = o;
    for (; d <= u; d += l) r.push([e[i - 1] + a * d / u, t[i - 1] + c * d / u]);
    o = d - u;
  }
  return r;
}
const cn = 200;
function Qt(e) {
  let [t, n] = [1 / 0, -1 / 0];
  for (const l of e)
    for (let r = 0; r < l.length; r++) {
      const o = l[r];
      Number.isFinite(o) && (o < t && (t = o), o > n && (n = o));
    }
  return t > n ? "no values" : `${O(t)} to ${O(n)}`;
}
function Vo({ series: e, x: t, y: n, right: l }) {
  const r = e.filter((c) => !c.guide), o = r.filter((c) => c.axis === "right"), i = t.names ? E(t.names.length, "category", "categories") : Qt(r.map((c) => c.x));
  return [
    `Horizontal axis: ${t.title}, ${i}.`,
    `Vertical axis: ${n.title}, ${Qt(r.filter((c) => c.axis !== "right").map((c) => c.y))}.`,
    ...l ? [`Right axis: ${l.title}, ${Qt(o.map((c) => c.y))}.`] : [],
    `${E(r.length, "series", "series")}${r.length ? `: ${r.slice(0, 12).map((c) => c.name).join(", ")}${r.length > 12 ? " and others" : ""}` : ""}.`
  ].join(" ");
}
function pl(e, t = cn) {
  const n = e.filter((a) => !a.guide), l = n.reduce((a, c) => a + c.x.length, 0), r = [];
  let [o, i] = [0, 0];
  for (const a of zo(l, t)) {
    for (; a - i >= n[o].x.length; ) i += n[o++].x.length;
    r.push({ series: n[o], place: a - i });
  }
  return { rows: r, total: l };
}
function Go({ series: e, x: t, y: n, right: l }) {
  const r = e.filter((u) => !u.guide), o = (u) => r.some((d) => d[u] !== void 0), i = (u) => ({ series: d, place: f }) => d[u]?.[f] ?? null, a = (u) => ({ series: d, place: f }) => (d.axis ?? "left") === u ? d.y[f] : null, c = t.title === "threshold";
  return [
    ...r.length > 1 ? [{ title: "series", value: (u) => u.series.name }] : [],
    { title: o("x1") ? `${t.title}, from` : t.title, value: ({ series: u, place: d }) => t.names?.[u.x[d]] ?? u.x[d] },
    ...o("x1") ? [{ title: `${t.title}, to`, value: i("x1") }] : [],
    { title: n.title, value: a("left") },
    ...l ? [{ title: l.title, value: a("right") }] : [],
    ...o("low") ? [{ title: "low", value: i("low") }] : [],
    ...o("high") ? [{ title: "high", value: i("high") }] : [],
    ...o("size") ? [{ title: "size", value: i("size") }] : [],
    ...o("threshold") && !c ? [{ title: "threshold", value: i("threshold") }] : []
  ];
}
function Jo(e, t) {
  const n = (r) => {
    if (r === null || typeof r == "number" && Number.isNaN(r)) return "";
    if (typeof r == "number") return String(r);
    const o = r.replace(/[\t\r\n]+/g, " ");
    return /^[=+\-@]/.test(o) ? `'${o}` : o;
  };
  return `${[e.map((r) => n(r.title)), ...t.map((r) => e.map((o) => n(o.value(r))))].map((r) => r.join("	")).join(`
`)}
`;
}
const gl = 8, bl = ["circle", "square", "triangle", "diamond", "down", "plus", "cross", "star"], vl = [[], [7, 3], [1.5, 3], [8, 3, 1.5, 3]], yl = { solid: [], dashed: [6, 4], dotted: [1.5, 3] };
function Ko(e) {
  const t = Math.max(0, Math.floor(e.color)), n = Math.floor(t / gl), l = e.guide || e.muted, o = (e.dash ? yl[e.dash] : null) ?? (e.guide ? yl.dashed : e.muted || Qo(e) ? [] : vl[(t + n) % vl.length]);
  return {
    ink: e.guide ? "--pl-muted" : e.muted ? "--pl-draws" : `--pl-line${t % gl + 1}`,
    dash: o,
    marker: bl[(t + n) % bl.length],
    width: l ? 1 : e.thin ? 0.9 : 1.8
  };
}
const Qo = (e) => e.style === "bars" || e.style === "points";
function Ss(e, t) {
  switch (e) {
    case "circle":
      return null;
    case "square":
      return [[-t, -t], [t, -t], [t, t], [-t, t]].map(([n, l]) => [0.88 * n, 0.88 * l]);
    case "triangle":
      return ht(3, t * 1.25, -90);
    case "diamond":
      return ht(4, t * 1.25, 0);
    case "down":
      return ht(3, t * 1.25, 90);
    case "plus":
      return _l(t, 0);
    case "cross":
      return _l(t, 45);
    case "star":
      return ht(10, t * 1.35, -90).map(([n, l], r) => r % 2 ? [0.45 * n, 0.45 * l] : [n, l]);
  }
}
const Cs = (e, t, n) => {
  const l = n * Math.PI / 180;
  return [e * Math.cos(l) - t * Math.sin(l), e * Math.sin(l) + t * Math.cos(l)];
}, ht = (e, t, n) => Array.from({ length: e }, (l, r) => Cs(t, 0, n + 360 * r / e));
function _l(e, t) {
  const [n, l] = [0.38 * e, 1.1 * e];
  return [[n, -l], [n, -n], [l, -n], [l, n], [n, n], [n, l], [-n, l], [-n, n], [-l, n], [-l, -n], [-n, -n], [-n, -l]].map(([o, i]) => Cs(o, i, t));
}
function Xo(e, t) {
  const n = Ss(e, t);
  return n ? `M${n.map(([l, r]) => `${l.toFixed(2)},${r.toFixed(2)}`).join("L")}Z` : `M${-t},0A${t},${t} 0 1 0 ${t},0A${t},${t} 0 1 0 ${-t},0Z`;
}
function Yo({ drawn: e, hidden: t, onToggle: n, onLight: l }) {
  const r = e.filter((o) => !o.series.guide);
  return /* @__PURE__ */ s("ul", { class: "chart-legend", "aria-label": "Series", children: r.map((o) => {
    const { id: i, name: a } = o.series;
    return /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s(
      "button",
      {
        type: "button",
        "aria-pressed": !t.has(i),
        title: t.has(i) ? `Show ${a}` : `Hide ${a}`,
        onClick: () => n(i),
        onPointerEnter: () => l(i),
        onPointerLeave: () => l(null),
        onFocus: (c) => c.currentTarget.matches(":focus-visible") && l(i),
        onBlur: () => l(null),
        children: [
          /* @__PURE__ */ s(Zo, { one: o, marked: r.length > 1 }),
          /* @__PURE__ */ s("span", { children: a })
        ]
      }
    ) }, i);
  }) });
}
function Zo({ one: e, marked: t }) {
  const { look: n, series: l } = e, r = `var(${n.ink})`, o = l.style === "bars", i = l.style === "points" || l.style === "line+points", a = i || t && !l.muted && !l.thin;
  return /* @__PURE__ */ s("svg", { class: "chart-key", width: "30", height: "14", "aria-hidden": "true", children: [
    o && /* @__PURE__ */ s("rect", { x: "3", y: "2", width: "24", height: "10", style: { fill: r } }),
    !o && l.style !== "points" && /* @__PURE__ */ s("line", { x1: "1", x2: "29", y1: "7", y2: "7", style: { stroke: r, strokeWidth: n.width + 0.2, strokeDasharray: n.dash.join(" ") } }),
    !o && a && /* @__PURE__ */ s("path", { d: Xo(n.marker, 3.4), transform: "translate(15 7)", style: { stroke: r, strokeWidth: 1.2, fill: i ? r : "var(--paper)" } })
  ] });
}
const X = 15, ei = (e, t) => Math.max(0, Math.min(e.left + e.width, t.left + t.width) - Math.max(e.left, t.left)) * Math.max(0, Math.min(e.top + e.height, t.top + t.height) - Math.max(e.top, t.top));
function ti(e, t) {
  const n = [];
  return e.map(({ text: l, width: r, places: o }) => {
    const i = o.map(([u, d]) => ni({ left: u, top: d, width: r, height: X }, t)), a = i.map((u) => n.reduce((d, f) => d + ei(u, f), 0)), c = i[a.indexOf(Math.min(...a))];
    return n.push(c), { text: l, box: c };
  });
}
function ni(e, t) {
  const n = Math.max(t.left, Math.min(e.left, t.left + t.width - e.width)), l = Math.max(t.top, Math.min(e.top, t.top + t.height - e.height));
  return { ...e, left: n, top: l };
}
const Ts = (e, t, n) => Math.min(n, Math.max(t, e)), pe = (e, t) => Ts(e.x.place(t), e.left, e.right), ge = (e, t) => Ts(e.y.place(t), e.top, e.bottom);
function li({ frame: e, marks: t }) {
  return /* @__PURE__ */ s("g", { children: t.map((n, l) => {
    if (n.kind !== "region") return null;
    const r = Ms(e, n);
    return /* @__PURE__ */ s("rect", { class: "chart-region", x: r.x, y: r.y, width: r.width, height: r.height }, l);
  }) });
}
function Ms(e, { axis: t, from: n, to: l }) {
  const [r, o] = t === "x" ? [pe(e, n), pe(e, l)] : [ge(e, n), ge(e, l)], [i, a] = [Math.min(r, o), Math.max(2, Math.abs(r - o))];
  return t === "x" ? { x: i, y: e.top, width: a, height: e.bottom - e.top } : { x: e.left, y: i, width: e.right - e.left, height: a };
}
function si({ picture: e, marks: t, hidden: n }) {
  const { frame: l } = e, { left: r, right: o, top: i, bottom: a } = l, c = [...t.flatMap((d) => oi(d, l)), ...ii(e, n)], u = ti(c, { left: r + 2, top: i, width: o - r - 4, height: a - i });
  return /* @__PURE__ */ s("g", { class: "chart-marks", children: [
    t.map((d, f) => /* @__PURE__ */ s(ri, { mark: d, frame: l }, f)),
    u.map(({ text: d, box: f }, h) => /* @__PURE__ */ s("text", { class: "chart-name", x: f.left + 2, y: f.top + 11, children: d }, h))
  ] });
}
function ri({ mark: e, frame: t }) {
  const { left: n, right: l, top: r, bottom: o } = t;
  if (e.kind === "rule") {
    const i = Math.round(e.axis === "x" ? t.x.place(e.at) : t.y.place(e.at)) + 0.5, [a, c] = e.axis === "x" ? [n, l] : [r, o];
    return i >= a - 1 && i <= c + 1 ? e.axis === "x" ? /* @__PURE__ */ s("line", { class: "chart-rule", x1: i, x2: i, y1: r, y2: o }) : /* @__PURE__ */ s("line", { class: "chart-rule", x1: n, x2: l, y1: i, y2: i }) : null;
  }
  if (e.kind === "segment") {
    const [i, a] = [e.x.map((c) => pe(t, c)), e.y.map((c) => ge(t, c))];
    return /* @__PURE__ */ s("line", { class: `chart-segment ${e.dash ?? "solid"}`, x1: i[0], x2: i[1], y1: a[0], y2: a[1] });
  }
  return e.kind === "point" && !Number.isNaN(e.x + e.y) ? /* @__PURE__ */ s("circle", { class: "chart-point", cx: pe(t, e.x), cy: ge(t, e.y), r: 5.5 }) : null;
}
function oi(e, t) {
  if (!e.label) return [];
  const n = ve(e.label, 12) + 6, { left: l, right: r, top: o, bottom: i } = t, a = (d) => [{ text: e.label, width: n, places: d }];
  if (e.kind === "point") {
    const [d, f] = [pe(t, e.x), ge(t, e.y)];
    return a([[d + 8, f - X / 2], [d + 8, f + 8], [d - 8 - n, f - X / 2], [d - n / 2, f - X - 8], [d - n / 2, f + 8], [d + 8, f - X - 8]]);
  }
  if (e.kind === "segment") {
    const [d, f] = [(pe(t, e.x[0]) + pe(t, e.x[1])) / 2, (ge(t, e.y[0]) + ge(t, e.y[1])) / 2];
    return a([[d + 6, f - X / 2], [d + 6, f - X - 4], [d - n - 6, f + 4], [d + 6, f + 10]]);
  }
  const c = e.kind === "region" ? Ms(t, e) : null;
  if (e.axis === "x") {
    const d = c ? c.x + c.width / 2 - n / 2 : pe(t, e.at) + 3;
    return a([0, 1, 2, 3, 4].map((f) => [d, o + 2 + f * X]));
  }
  const u = c ? c.y + 2 : ge(t, e.at) - X - 1;
  return a([[r - n - 4, u], [l + 4, u], [r - n - 4, Math.min(i - X, u + X + 2)], [(l + r) / 2, u]]);
}
function ii({ drawn: e, frame: t }, n) {
  return e.flatMap((l) => {
    if (!l.series.guide || !l.series.name || n.has(l.series.id)) return [];
    const r = ve(l.series.name, 12) + 6, o = Array.from(l.px, (d, f) => [d, l.py[f]]).filter(([d, f]) => d >= t.left && d <= t.right && f >= t.top && f <= t.bottom);
    if (!o.length) return [];
    const [i, a] = [o[0], o[o.length - 1]], c = (d) => o.length > 2 ? o[Math.round(d * (o.length - 1))] : [i[0] + d * (a[0] - i[0]), i[1] + d * (a[1] - i[1])], u = [0.86, 0.6, 0.35, 0.1].map(c).flatMap(([d, f]) => [[d - r / 2, f + 6], [d - r / 2, f - X - 4]]);
    return [{ text: l.series.name, width: r, places: u }];
  });
}
class ai {
  constructor(t) {
    this.store = t, this.threshold = t.state.threshold, t.subscribe(() => this.show(t.state.threshold));
  }
  threshold;
  listeners = /* @__PURE__ */ new Set();
  move(t, n) {
    this.show(t), n && t !== this.store.state.threshold && this.store.change({ threshold: t }, "threshold");
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  show(t) {
    if (t !== this.threshold) {
      this.threshold = t;
      for (const n of [...this.listeners]) n();
    }
  }
}
const As = Lt(null), xe = () => It(As);
function Dt() {
  const e = xe(), [t, n] = _(e.threshold);
  return P(() => {
    const l = () => n(e.threshold);
    return l(), e.subscribe(l);
  }, [e]), t;
}
const wl = 34, We = 3;
function ci(e, t, n) {
  const { series: l } = e, r = l.axis === "right" && n.right ? n.right : n.y, o = (f, h) => `${qe(f, wl)} ${O(h, We)}`, i = n.x.names ? [n.x.names[l.x[t]] ?? ""] : l.x1 ? [`${qe(n.x.title, wl)} ${O(l.x[t], We)} to ${O(l.x1[t], We)}`] : [o(n.x.title, l.x[t])], a = l.threshold?.[t], c = n.x.title === "threshold", [u, d] = [l.low?.[t], l.high?.[t]];
  return [
    ...a !== void 0 && !Number.isNaN(a) && !c ? [o("threshold", a)] : [],
    ...i,
    o(r.title, l.y[t]),
    ...u !== void 0 && d !== void 0 && Number.isFinite(u + d) ? [`between ${O(u, We)} and ${O(d, We)}`] : []
  ];
}
const ui = 60, kl = 10, di = "http://www.w3.org/2000/svg";
class hi {
  constructor(t, n, l, r) {
    this.parts = t, this.scene = n, this.cursor = l, this.memory = r, this.shown = n.picture.drawn.filter((o) => !n.hidden.has(o.series.id) && !o.series.guide), this.gripped = l ? this.shown.filter((o) => o.grip) : [], this.rule = this.added("line", "chart-cursor-rule");
    for (const o of this.gripped) this.rings.set(o, this.added("circle", n.picture.crowd ? "chart-cursor small" : "chart-cursor", { r: n.picture.crowd ? "3" : "5", style: `--at: var(${o.look.ink})` }));
    this.ring = this.added("circle", "chart-hover", { r: "6" }), this.listen("pointerdown", (o) => this.press(o)), this.listen("pointermove", (o) => this.later(o)), this.listen("pointerup", (o) => this.release(o)), this.listen("pointercancel", (o) => this.release(o)), this.listen("pointerleave", () => this.leave()), this.listen("keydown", (o) => this.key(o)), l && this.stops.push(l.subscribe(() => this.show())), this.show();
  }
  shown;
  gripped;
  // those that have thresholds
  rings = /* @__PURE__ */ new Map();
  rule;
  ring;
  stops = [];
  dragged = null;
  pending = null;
  frame = 0;
  stop() {
    cancelAnimationFrame(this.frame);
    for (const t of this.stops) t();
    this.parts.marks.replaceChildren(), this.parts.readout.hidden = this.parts.hover.hidden = !0;
  }
  listen(t, n) {
    this.parts.plot.addEventListener(t, n), this.stops.push(() => this.parts.plot.removeEventListener(t, n));
  }
  added(t, n, l = {}) {
    const r = document.createElementNS(di, t);
    r.setAttribute("class", n);
    const { style: o, ...i } = l;
    for (const [a, c] of Object.entries(i)) r.setAttribute(a, c);
    return o && r.style.setProperty(...o.split(": ")), r.setAttribute("visibility", "hidden"), this.parts.marks.append(r), r;
  }
  // ---------------------------------------------------------------- the threshold
  get active() {
    return this.gripped.find((t) => t.series.id === this.memory.active) ?? this.gripped.find((t) => !t.series.muted) ?? this.gripped[0];
  }
  get threshold() {
    return this.cursor ? this.cursor.threshold ?? this.scene.usual : null;
  }
  show() {
    const t = this.threshold;
    for (const [o, i] of this.rings) this.stand(i, t === null ? null : this.spotOf(o, this.placeAt(o, t)));
    this.showRule(t);
    const n = this.active;
    if (!this.cursor || !n) return;
    const l = t === null ? -1 : this.placeAt(n, t);
    this.tell(n, l, t);
    const r = this.spotOf(n, l);
    this.write(this.parts.readout, r, r ? this.named(n, l) : []);
  }
  showRule(t) {
    const { frame: n, swept: l } = this.scene.picture, r = t === null || !l ? NaN : n.x.place(t), o = r >= n.left && r <= n.right;
    if (this.rule.setAttribute("visibility", o ? "visible" : "hidden"), !!o)
      for (const [i, a] of Object.entries({ x1: r, x2: r, y1: n.top, y2: n.bottom })) this.rule.setAttribute(i, String(a));
  }
  placeAt(t, n) {
    const l = we(t.series.threshold, t.ladder, n);
    return l < 0 ? -1 : t.ladder[l];
  }
  spotOf(t, n) {
    const { frame: l } = this.scene.picture, [r, o] = [t.px[n] ?? NaN, t.py[n] ?? NaN];
    return r >= l.left && r <= l.right && o >= l.top && o <= l.bottom ? { x: r, y: o } : null;
  }
  named(t, n) {
    const l = ci(t, n, this.scene.titles);
    return this.shown.length > 1 ? [t.series.name, ...l] : l;
  }
  // What a screen reader hears.
  tell(t, n, l) {
    const { plot: r } = this.parts, { threshold: o } = t.series, [i, a] = [t.ladder[0], t.ladder[t.ladder.length - 1]].map((u) => o[u]), c = (u) => String(Number.isFinite(u) ? u : Math.sign(u) * Number.MAX_SAFE_INTEGER);
    r.setAttribute("aria-valuemin", c(a)), r.setAttribute("aria-valuemax", c(i)), r.setAttribute("aria-valuenow", c(n < 0 ? a : o[n])), r.setAttribute("aria-valuetext", l === null || n < 0 ? "no threshold chosen" : this.named(t, n).join(", "));
  }
  move(t, n, l) {
    this.memory.active = t.series.id;
    const r = t.series.threshold[n];
    r === this.cursor.threshold && this.show(), this.cursor.move(r, l);
  }
  key(t) {
    const n = this.active;
    if (!this.cursor || !n || t.altKey || t.ctrlKey || t.metaKey) return;
    const l = this.rungFor(t.key, n);
    l !== null && (t.preventDefault(), this.move(n, n.ladder[l], !0));
  }
  // Where a key leads: to the right and up, down the ladder where its points run to the right.
  rungFor(t, n) {
    const { ladder: l, series: r, px: o } = n, i = l.length - 1, a = o[l[i]] >= o[l[0]] ? 1 : -1, c = this.threshold, u = { ArrowRight: a, ArrowUp: a, ArrowLeft: -a, ArrowDown: -a, PageUp: kl * a, PageDown: -kl * a }[t];
    return t === "Home" ? a > 0 ? 0 : i : t === "End" ? a > 0 ? i : 0 : u === void 0 ? null : c === null ? i >> 1 : xs(r.threshold, l, we(r.threshold, l, c), u);
  }
  // ---------------------------------------------------------------- the pointer
  press(t) {
    if (!this.cursor || t.button !== 0 || !this.gripped.length) return;
    const n = xt(this.gripped.map((l) => l.grip), ...this.spot(t), this.scene.picture.swept);
    n && (this.parts.plot.setPointerCapture(t.pointerId), this.dragged = this.gripped[n.series], this.write(this.parts.hover, null, []), this.stand(this.ring, null), this.move(this.dragged, n.point, !1));
  }
  later(t) {
    this.pending = t, this.frame || (this.frame = requestAnimationFrame(() => this.follow()));
  }
  follow() {
    this.frame = 0;
    const t = this.pending;
    this.pending = null, t && (this.dragged ? this.drag(t, !1) : t.buttons || this.point(t));
  }
  drag(t, n) {
    const l = this.dragged, r = xt([l.grip], ...this.spot(t), this.scene.picture.swept);
    r && this.move(l, r.point, n);
  }
  release(t) {
    this.dragged && (cancelAnimationFrame(this.frame), this.frame = 0, this.pending = null, t.type === "pointercancel" ? this.cursor.move(this.cursor.threshold, !0) : this.drag(t, !0), this.dragged = null);
  }
  point(t) {
    const n = xt(this.shown, ...this.spot(t), this.scene.picture.swept), l = n && n.distance <= ui ? n : null, r = l ? this.shown[l.series] : null, o = r ? this.spotOf(r, l.point) : null;
    this.stand(this.ring, o), this.write(this.parts.hover, o, o ? this.named(r, l.point) : []);
  }
  leave() {
    this.pending = null, this.stand(this.ring, null), this.write(this.parts.hover, null, []);
  }
  spot(t) {
    const n = this.parts.plot.getBoundingClientRect(), { left: l, top: r } = this.scene.picture.frame;
    return [t.clientX - n.left + l, t.clientY - n.top + r];
  }
  // ---------------------------------------------------------------- writing
  stand(t, n) {
    t.setAttribute("visibility", n ? "visible" : "hidden"), n && t.setAttribute("transform", `translate(${n.x.toFixed(1)} ${n.y.toFixed(1)})`);
  }
  write(t, n, l) {
    if (t.hidden = n === null, !n) return;
    const { frame: r } = this.scene.picture, [o, i] = [n.x > (r.left + r.right) / 2, n.y > (r.top + r.bottom) / 2];
    for (t.style.transform = `translate(${n.x.toFixed(1)}px, ${n.y.toFixed(1)}px) translate(${o ? "calc(-100% - 12px)" : "12px"}, ${i ? "calc(-100% - 8px)" : "8px"})`; t.childElementCount < l.length; ) t.append(document.createElement("span"));
    for (; t.childElementCount > l.length; ) t.lastElementChild.remove();
    l.forEach((a, c) => {
      const u = t.children[c];
      u.textContent !== a && (u.textContent = a);
    });
  }
}
function fi({ picture: e, hidden: t, cursor: n, usual: l, label: r, x: o, y: i, right: a }) {
  const c = xe(), [u, d, f, h] = [N(null), N(null), N(null), N(null)], m = N({ active: null }), p = N({ x: o, y: i, right: a });
  p.current = { x: o, y: i, right: a };
  const g = n && c !== null && e.drawn.some((w) => w.grip && !t.has(w.series.id));
  Ee(() => {
    const w = { plot: u.current, marks: d.current, readout: f.current, hover: h.current }, S = new hi(w, { picture: e, hidden: t, usual: l ?? null, titles: p.current }, g ? c : null, m.current);
    return () => S.stop();
  }, [e, t, c, g, l]);
  const { frame: b } = e, v = { left: `${b.left}px`, top: `${b.top}px`, width: `${b.right - b.left}px`, height: `${b.bottom - b.top}px` }, y = g ? { role: "slider", tabIndex: 0, "aria-label": `Threshold on ${r}` } : { "aria-hidden": !0 };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("svg", { class: "chart-layer", width: b.width, height: b.height, "aria-hidden": "true", children: /* @__PURE__ */ s("g", { ref: d }) }),
    /* @__PURE__ */ s("div", { ref: u, class: g ? "chart-plot slides" : "chart-plot", style: v, ...y }, g ? "slider" : "plain"),
    /* @__PURE__ */ s("div", { ref: f, class: "chart-readout", "aria-hidden": "true", hidden: !0 }),
    /* @__PURE__ */ s("div", { ref: h, class: "chart-readout", "aria-hidden": "true", hidden: !0 })
  ] });
}
const mi = 25, pi = 150, gi = 11;
function Ns(e) {
  const t = getComputedStyle(e), n = /* @__PURE__ */ new Map();
  return (l) => (n.has(l) || n.set(l, t.getPropertyValue(l).trim() || "#888"), n.get(l));
}
function Os(e, t, n) {
  const l = globalThis.devicePixelRatio || 1, [r, o] = [Math.round(t * l), Math.round(n * l)];
  (e.width !== r || e.height !== o) && ([e.width, e.height] = [r, o]);
  const i = e.getContext("2d");
  return i?.setTransform(l, 0, 0, l, 0, 0), i?.clearRect(0, 0, t, n), i;
}
function Es(e, t, n) {
  const { ctx: l, lit: r } = t, { left: o, right: i, top: a, bottom: c } = e.frame;
  l.save(), l.beginPath(), l.rect(o - 1, a - 1, i - o + 2, c - a + 2), l.clip();
  const u = e.drawn.filter((h) => !n.has(h.series.id)), d = (h) => +(h.series.id === r) * 8 + (h.series.guide ? 1 : h.series.style === "bars" ? 0 : h.series.muted ? 2 : 3), f = u.map((h, m) => ({ one: h, place: m })).sort((h, m) => d(h.one) - d(m.one) || m.place - h.place);
  for (const { one: h } of f) xl(t, h, () => ki(h, t));
  for (const { one: h } of f) xl(t, h, () => bi(h, t, e));
  l.restore();
}
function xl({ ctx: e, lit: t }, n, l) {
  e.globalAlpha = t === null || n.series.id === t || n.series.guide ? 1 : 0.18, l(), e.globalAlpha = 1;
}
function bi(e, t, { several: n, crowd: l }) {
  const r = e.series.style ?? "line", { ctx: o, ink: i } = t;
  if (o.strokeStyle = o.fillStyle = i(e.look.ink), r === "bars") return wi(e, t);
  r !== "points" && (o.lineWidth = (l ? Math.min(1, e.look.width) : e.look.width) + (t.lit === e.series.id ? 1 : 0), o.lineJoin = "round", o.setLineDash([...e.look.dash]), vi(o, e.lineX, e.lineY), o.stroke(), o.setLineDash([])), r === "points" || r === "line+points" ? _i(e, t) : !e.series.guide && !e.series.muted && !e.series.thin && !(l && t.lit !== e.series.id) && yi(e, t, n);
}
function vi(e, t, n) {
  e.beginPath();
  let l = !1;
  for (let r = 0; r < t.length; r++) {
    const [o, i] = [t[r], n[r]];
    o !== o || i !== i ? l = !1 : l ? e.lineTo(o, i) : (e.moveTo(o, i), l = !0);
  }
}
function yi(e, { ctx: t, ink: n }, l) {
  const r = e.px.length <= mi && (!e.series.path || e.px.length === 1);
  if (!r && !l) return;
  const o = n("--paper"), i = 30 + 17 * (e.series.color % 8), a = r ? Array.from(e.px, (c, u) => [c, e.py[u]]) : Uo(e.lineX, e.lineY, i, pi);
  for (const [c, u] of a) Ps(t, c, u, { marker: l ? e.look.marker : "circle", r: 3, fill: o, edge: n(e.look.ink) });
}
function _i(e, { ctx: t, ink: n }) {
  const { px: l, py: r, series: o, look: i } = e, a = n(i.ink), c = o.size ? o.size.reduce((f, h) => h > f ? h : f, 0) : 0, u = l.length > 400, d = t.globalAlpha;
  t.globalAlpha = d * (o.size || u ? 0.65 : 1);
  for (let f = 0; f < l.length; f++) {
    if (l[f] !== l[f] || r[f] !== r[f]) continue;
    const h = o.size ? Math.max(1.5, gi * Math.sqrt(o.size[f] / (c || 1))) : u ? 1.4 : 3.6;
    u && !o.size ? t.fillRect(l[f] - h, r[f] - h, 2 * h, 2 * h) : Ps(t, l[f], r[f], { marker: o.size ? "circle" : i.marker, r: h, fill: a, edge: n("--paper") });
  }
  t.globalAlpha = d;
}
function wi(e, { ctx: t, ink: n }) {
  const l = e.y.place(e.y.extent.kind === "linear" ? Math.min(e.y.extent.high, Math.max(e.y.extent.low, 0)) : 0), r = t.globalAlpha;
  for (let o = 0; o < e.px.length; o++) {
    const [i, a] = e.right ? [e.px[o], e.right[o]] : [e.px[o] - 5, e.px[o] + 5], [c, u] = [Math.min(i, a), Math.max(1, Math.abs(a - i) - 1)], [d, f] = [Math.min(l, e.py[o]), Math.abs(l - e.py[o])];
    !(u > 0) || !(f >= 0) || (t.globalAlpha = r * (e.series.muted ? 0.5 : 0.75), t.fillStyle = n(e.look.ink), t.fillRect(c, d, u, f));
  }
  t.globalAlpha = r;
}
function ki(e, { ctx: t, ink: n }) {
  const { low: l, high: r, series: o } = e;
  if (!l || !r) return;
  if (t.strokeStyle = t.fillStyle = n(e.look.ink), o.style === "points" || o.style === "bars") return xi(e, t);
  const i = t.globalAlpha;
  t.globalAlpha = i * 0.18;
  for (const [a, c] of Ho(e.bandX, l, r)) {
    t.beginPath();
    for (let u = a; u < c; u++) t.lineTo(e.bandX[u], r[u]);
    for (let u = c - 1; u >= a; u--) t.lineTo(e.bandX[u], l[u]);
    t.closePath(), t.fill();
  }
  t.globalAlpha = i;
}
function xi(e, t) {
  t.lineWidth = 1.2, t.beginPath();
  for (let n = 0; n < e.px.length; n++) {
    const l = e.right && e.series.style === "bars" ? (e.px[n] + e.right[n]) / 2 : e.px[n], [r, o] = [e.low[n], e.high[n]];
    if (Number.isFinite(l + r + o)) {
      t.moveTo(l, r), t.lineTo(l, o);
      for (const i of [r, o])
        t.moveTo(l - 3, i), t.lineTo(l + 3, i);
    }
  }
  t.stroke();
}
function Ps(e, t, n, { marker: l, r, fill: o, edge: i }) {
  e.beginPath();
  const a = Ss(l, r);
  if (!a) e.arc(t, n, r, 0, 2 * Math.PI);
  else for (const [c, u] of a) e.lineTo(t + c, n + u);
  e.closePath(), e.lineWidth = 1.2, e.fillStyle = o, e.strokeStyle = i, e.fill(), e.stroke();
}
const $i = 12;
function Si(e) {
  return Rs(e.series, Mo(e), e.x.names !== void 0);
}
function Rs(e, t, n = !1) {
  const l = e.filter((i) => !i.guide && !i.muted), r = e.map((i) => Ci(i, t, n ? Mi(i, l, t) : 0)), o = r.filter((i) => i.ladder.length > 0);
  return { frame: t, drawn: r, several: l.length > 1, crowd: l.length > $i, empty: !r.some(Ai), swept: o.length > 0 && o.every((i) => Ni(i.series)) };
}
function Ci(e, t, n) {
  const l = e.axis === "right" && t.right2 ? t.right2 : t.y, r = Me(e.x, t.x).map((m) => m + n), o = Me(e.y, l);
  let [i, a] = [e.low ? Me(e.low, l) : null, e.high ? Me(e.high, l) : null], [c, u, d] = [r, o, r];
  const f = e.style === "step" ? Wo(e.x) : null;
  e.path ? [c, u] = [Me(e.path.x, t.x), Me(e.path.y, l)] : f && ([c, u] = Kt(r, o, f), i && a && ([d, i] = Kt(r, i, f), [, a] = Kt(r, a, f)));
  const h = e.threshold && !e.guide ? En(e.threshold) : new Int32Array();
  return { series: e, look: Ko(e), y: l, px: r, py: o, lineX: c, lineY: u, right: e.x1 ? Me(e.x1, t.x) : null, low: i, high: a, bandX: d, dodge: n, ladder: h, grip: Ti(h, { px: r, py: o }) };
}
function Ti(e, { px: t, py: n }) {
  if (!e.length || e.length === t.length) return e.length ? { px: t, py: n } : null;
  const l = { px: new Float32Array(t.length).fill(NaN), py: n };
  for (const r of e) l.px[r] = t[r];
  return l;
}
function Mi(e, t, n) {
  const l = t.indexOf(e);
  if (t.length < 2 || l < 0) return 0;
  const r = Math.abs(n.x.place(1) - n.x.place(0));
  return (l - (t.length - 1) / 2) * Math.min(12, 0.8 * r / t.length);
}
const Ai = ({ series: e, px: t, py: n }) => !e.guide && t.some((l, r) => !Number.isNaN(l + n[r]));
function Ni({ x: e, threshold: t }) {
  if (!t) return !1;
  for (let n = 0; n < e.length; n++) if (e[n] !== t[n] && !Number.isNaN(t[n])) return !1;
  return e.length > 0;
}
function Oi(e) {
  const [t, n] = _(!1);
  return /* @__PURE__ */ s("details", { class: "chart-table", onToggle: (l) => n(l.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: "Show as table" }),
    t && /* @__PURE__ */ s(Ei, { ...e })
  ] });
}
function Ei({ label: e, ...t }) {
  const [n, l] = _(""), { rows: r, total: o } = Y(() => pl(t.series), [t.series]), i = Go(t), a = async () => {
    const u = Jo(i, pl(t.series, 1 / 0).rows);
    try {
      await navigator.clipboard.writeText(u), l(`Copied ${E(o, "point")}.`);
    } catch {
      l("The browser does not allow copying here.");
    }
  }, c = o > cn ? `${cn} of ${E(o, "drawn point")}, evenly spread` : E(o, "drawn point");
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("p", { class: "chart-copy", children: [
      /* @__PURE__ */ s("button", { type: "button", onClick: () => void a(), children: "Copy as tab-separated text" }),
      " ",
      /* @__PURE__ */ s("span", { role: "status", children: n })
    ] }),
    /* @__PURE__ */ s(j, { caption: `${e}: ${c}`, columns: i, rows: r })
  ] });
}
function Pi(e = 1) {
  const t = N(null), [n, l] = _(0);
  return Ee(() => {
    const r = t.current;
    if (!r) return;
    const o = () => l(Math.ceil(r.clientWidth / e) * e);
    o();
    const i = new ResizeObserver(o);
    return i.observe(r), () => i.disconnect();
  }, [e]), [t, n];
}
function Ls(e) {
  const [t, n] = _(0);
  return P(() => {
    const l = e.current?.closest(".plumbline"), r = () => n((a) => a + 1), o = new MutationObserver(r);
    l && o.observe(l, { attributes: !0, attributeFilter: ["data-theme", "class"] });
    const i = ["(prefers-color-scheme: dark)", `(resolution: ${globalThis.devicePixelRatio || 1}dppx)`].map((a) => matchMedia(a));
    for (const a of i) a.addEventListener("change", r);
    return () => {
      o.disconnect();
      for (const a of i) a.removeEventListener("change", r);
    };
  }, [e, t]), t;
}
const Ri = 170, Li = /* @__PURE__ */ new Set();
function Q(e) {
  const { label: t, x: n, y: l, right: r, square: o, height: i, marks: a = [], cursor: c = !1, between: u, table: d = !0 } = e, [f, h] = Pi(), [m, p] = _(Li), [g, b] = _(null), v = qi(e.series), y = JSON.stringify([n, l, r, o, i]), w = Y(() => h > 0 ? Si({ series: v, x: n, y: l, right: r, square: o, height: i, width: h }) : null, [v, y, h]), S = v.filter((H) => !H.guide), L = e.legend ?? S.length > 1, F = U(), W = (H) => p((ae) => Fi(ae, H)), V = w !== null && h - w.frame.width > Ri, Ce = Y(() => Vo({ series: v, x: n, y: l, right: r }), [v, y]);
  return /* @__PURE__ */ s("div", { class: V ? "chart beside" : "chart", ref: f, children: [
    w && /* @__PURE__ */ s("div", { class: "chart-stage", style: { width: `${w.frame.width}px`, height: `${w.frame.height}px` }, children: [
      /* @__PURE__ */ s("svg", { class: "chart-layer", width: w.frame.width, height: w.frame.height, "aria-hidden": "true", children: [
        /* @__PURE__ */ s(Po, { frame: w.frame }),
        /* @__PURE__ */ s(li, { frame: w.frame, marks: a }),
        u && /* @__PURE__ */ s(Lo, { picture: w, hidden: m, range: u })
      ] }),
      /* @__PURE__ */ s(Di, { picture: w, hidden: m, lit: g, label: t, describedBy: `${F}-words` }),
      /* @__PURE__ */ s("svg", { class: "chart-layer", width: w.frame.width, height: w.frame.height, "aria-hidden": "true", children: [
        /* @__PURE__ */ s(Ro, { frame: w.frame, x: n, y: l, right: r }),
        /* @__PURE__ */ s(si, { picture: w, marks: a, hidden: m }),
        w.empty && /* @__PURE__ */ s(Ii, { frame: w.frame })
      ] }),
      /* @__PURE__ */ s(fi, { picture: w, hidden: m, cursor: c, usual: e.usual, label: t, x: n, y: l, right: r }),
      u && /* @__PURE__ */ s(Do, { picture: w, hidden: m, range: u, unit: n.title })
    ] }),
    L && w && S.length > 0 && /* @__PURE__ */ s(Yo, { drawn: w.drawn, hidden: m, onToggle: W, onLight: b }),
    /* @__PURE__ */ s("p", { id: `${F}-words`, class: "chart-words", children: Ce }),
    d && /* @__PURE__ */ s(Oi, { label: t, series: v, x: n, y: l, right: r })
  ] });
}
function Ii({ frame: e }) {
  return /* @__PURE__ */ s("text", { class: "chart-nothing", x: (e.left + e.right) / 2, y: (e.top + e.bottom) / 2, "text-anchor": "middle", children: "No point to draw" });
}
function Di({ picture: e, hidden: t, lit: n, label: l, describedBy: r }) {
  const o = N(null), i = Ls(o), { width: a, height: c } = e.frame;
  return Ee(() => {
    const u = o.current, d = Os(u, a, c);
    d && (Es(e, { ctx: d, ink: Ns(u), lit: n }, t), performance.mark("plumbline:drawn"));
  }, [e, t, n, i]), /* @__PURE__ */ s("canvas", { ref: o, class: "chart-canvas", style: { width: `${a}px`, height: `${c}px` }, role: "img", "aria-label": l, "aria-describedby": r });
}
function Fi(e, t) {
  const n = new Set(e);
  return n.delete(t) || n.add(t), n;
}
function qi(e) {
  const t = N(e);
  return e.length === t.current.length && e.every((l, r) => ji(l, t.current[r])) || (t.current = e), t.current;
}
function ji(e, t) {
  if (e === t) return !0;
  const n = /* @__PURE__ */ new Set([...Object.keys(e), ...Object.keys(t)]);
  for (const l of n)
    if (l === "path") {
      if (e.path?.x !== t.path?.x || e.path?.y !== t.path?.y) return !1;
    } else if (e[l] !== t[l]) return !1;
  return !0;
}
const Oe = [0, 1], Is = { kind: "segment", x: Oe, y: Oe, dash: "dashed" }, Xt = 8;
function Pn({ curve: e, label: t, overlays: n = [], compact: l = !1 }) {
  const r = [
    { id: "true", name: `${100 * e.level} % range if ${l ? "" : "the probabilities are "}true`, color: 0, x: e.mean_probability, y: e.mean_probability, low: e.band_low, high: e.band_high, muted: !0, dash: "dashed" },
    ...n.map((o, i) => ({ id: o.name, name: o.name, color: i + 1, x: o.x, y: o.y, style: "line", muted: o.muted ?? !1 })),
    { id: "observed", name: "observed in bins", color: 0, x: e.mean_probability, y: e.outcome_share, size: e.weight, style: "line+points", dash: "solid" }
  ];
  return /* @__PURE__ */ s("div", { class: "cal-diagram", children: [
    /* @__PURE__ */ s(Q, { label: t, square: !0, series: r, marks: [Is], x: { title: oe(e.x_title), domain: Oe }, y: { title: oe(e.y_title), domain: Oe }, table: !l }),
    !l && /* @__PURE__ */ s(Bi, { curve: e, label: t })
  ] });
}
function Bi({ curve: e, label: t }) {
  const n = [{ id: "rows", name: "rows", color: 0, x: e.lo, x1: e.hi, y: e.count, style: "bars", muted: !0 }];
  return /* @__PURE__ */ s(Q, { label: `${t}: rows in each bin`, series: n, x: { title: oe(e.x_title), domain: Oe }, y: { title: "Rows" }, height: 120, table: !1, legend: !1 });
}
function Wi({ found: e, label: t }) {
  const n = e.bins ?? [];
  if (!n.length || n.length === e.n) return null;
  const l = [...new Set(n.map((o) => o.class ?? ""))], r = l.slice(0, Xt).map((o, i) => {
    const a = n.filter((u) => (u.class ?? "") === o), c = (u) => Float64Array.from(a, u);
    return { id: o || "bins", name: o || "observed in bins", color: i, x: c((u) => u.mean_probability), y: c((u) => u.outcome_share), size: c((u) => u.weight), style: "line+points" };
  });
  return /* @__PURE__ */ s("div", { class: "cal-diagram", children: [
    /* @__PURE__ */ s(Q, { label: t, square: !0, series: r, marks: [Is], x: { title: "Predicted probability", domain: Oe }, y: { title: "Observed relative frequency", domain: Oe } }),
    l.length > Xt && /* @__PURE__ */ s(T, { children: [
      "The first ",
      Xt,
      " of ",
      l.length,
      " classes are drawn; all count."
    ] })
  ] });
}
const oe = (e) => e.slice(0, 1).toUpperCase() + e.slice(1);
function Rn({ low: e, high: t }) {
  return /* @__PURE__ */ s("span", { class: "cal-span", children: e === null || t === null ? "–" : `${O(e, 3)} to ${O(t, 3)}` });
}
const Hi = { temperature: "temperature", share: "share of rows", probability: "of probability", "log-odds": "of log-odds" }, zi = ({ question: e, compact: t }) => {
  const n = A(e);
  return /* @__PURE__ */ s(I, { of: n, what: "Looking for the shape of the fault", children: (l) => /* @__PURE__ */ s("div", { class: t ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s(
      Pn,
      {
        curve: l.curve,
        label: `Diagnosis${l.model === null ? "" : ` of ${l.model}`}`,
        overlays: l.fitted.score.length ? [{ name: `if ${l.shape} were all`, x: l.fitted.score, y: l.fitted.share }] : [],
        compact: !0
      }
    ),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s("p", { "data-name": "diagnosis", children: l.statement }),
      l.notes.map((r) => /* @__PURE__ */ s(T, { children: r }, r)),
      !t && /* @__PURE__ */ s(Ui, { answer: l })
    ] })
  ] }) });
};
function Ui({ answer: e }) {
  return /* @__PURE__ */ s(
    j,
    {
      caption: "Evidence: the best first",
      rows: e.evidence,
      columns: [
        { title: "Shape", value: (t) => t.class === null ? t.shape : `${t.shape}: ${t.class}` },
        { title: "Estimate", value: (t) => t.estimate },
        { title: "95 % interval", value: (t) => /* @__PURE__ */ s(Rn, { low: t.low, high: t.high }) },
        { title: "Unit", value: (t) => Hi[t.kind] ?? t.kind },
        { title: "Explains", value: (t) => re(t.explained) },
        { title: "p", value: (t) => t.p_value }
      ]
    }
  );
}
const Vi = (e) => e.question.by === null || e.question.by === void 0 ? /* @__PURE__ */ s(Qi, { ...e }) : /* @__PURE__ */ s(Gi, { ...e });
function Gi({ question: e, compact: t }) {
  const n = A(e);
  return /* @__PURE__ */ s(I, { of: n, what: "Looking at the groups", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("p", { "data-name": "groups-verdict", children: l.verdict }),
    /* @__PURE__ */ s(Ki, { answer: l }),
    l.notes.map((r) => /* @__PURE__ */ s(T, { children: r }, r)),
    !t && /* @__PURE__ */ s(
      j,
      {
        caption: `Calibration by ${l.by}; p-values of the ${l.statistic} test, adjusted for the number of groups`,
        rows: l.groups,
        columns: [
          { title: "Group", value: (r) => r.group },
          { title: "Rows", value: (r) => r.n },
          { title: "Predicted", value: (r) => r.mean_probability },
          { title: "Observed", value: (r) => r.outcome_share },
          { title: "Bias", value: (r) => r.bias },
          { title: "Error", value: (r) => r.value },
          { title: "If true", value: (r) => r.null_mean },
          { title: "Adjusted p", value: (r) => r.adjusted_p_value },
          { title: "Rejected", value: (r) => r.rejected ? "yes" : "no" }
        ]
      }
    )
  ] }) });
}
function Ji({ groups: e, columns: t, level: n }) {
  const l = (r) => {
    const o = Float64Array.from([...e.keys()].filter((c) => e[c].rejected === r)), i = (c) => o.map((u) => c[u]), a = r ? "rejected by its test" : "not rejected";
    return { id: a, name: `${a}; ${100 * n} % interval of the bias`, color: r ? 1 : 0, x: o, y: i(t.bias), low: i(t.bias_low), high: i(t.bias_high), style: "points" };
  };
  return [l(!1), l(!0)].filter((r) => r.x.length);
}
function Ki({ answer: e }) {
  return /* @__PURE__ */ s(
    Q,
    {
      label: `Bias by ${e.by}`,
      series: Ji(e),
      marks: [{ kind: "rule", axis: "y", at: 0 }],
      x: { title: e.by, names: e.groups.map((t) => t.group) },
      y: { title: "Observed − predicted" },
      height: 260,
      legend: !0,
      table: !1
    }
  );
}
function Qi({ question: e, compact: t }) {
  const n = A(e);
  return /* @__PURE__ */ s(I, { of: n, what: "Searching all slices", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("p", { "data-name": "worst-verdict", children: l.verdict }),
    l.notes.map((r) => /* @__PURE__ */ s(T, { children: r }, r)),
    /* @__PURE__ */ s(
      j,
      {
        caption: `The worst of ${E(l.searched, "slice")}`,
        rows: t ? l.slices.slice(0, 3) : l.slices,
        columns: [
          { title: "Slice", value: (r) => r.class === void 0 ? r.slice : `${r.slice} (${r.class})` },
          { title: "Rows", value: (r) => r.n },
          { title: "Predicted", value: (r) => r.mean_probability },
          { title: "Observed", value: (r) => r.outcome_share },
          { title: "Bias", value: (r) => r.bias },
          { title: "z", value: (r) => r.z },
          { title: "Adjusted p", value: (r) => r.adjusted_p_value },
          { title: "Rejected", value: (r) => r.rejected ? "yes" : "no" }
        ]
      }
    ),
    l.skipped.length > 0 && /* @__PURE__ */ s(T, { children: [
      "Left out: ",
      l.skipped.join("; "),
      "."
    ] })
  ] }) });
}
const Xi = 1.96, Yi = ({ question: e, compact: t }) => {
  const n = A(e);
  return /* @__PURE__ */ s(I, { of: n, what: "Simulating data sets", children: (l) => /* @__PURE__ */ s("div", { class: t ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s(ea, { answer: l }),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s("p", { "data-name": "plan-verdict", children: l.verdict }),
      !t && /* @__PURE__ */ s(Zi, { answer: l }),
      l.notes.map((r) => /* @__PURE__ */ s(T, { children: [
        oe(r),
        "."
      ] }, r)),
      l.reason && /* @__PURE__ */ s(T, { children: [
        oe(l.reason),
        "."
      ] }),
      !t && l.tests.length > 0 && /* @__PURE__ */ s(
        j,
        {
          caption: "The tests on the same data sets",
          rows: l.tests,
          columns: [
            { title: "Test", value: (r) => r.test },
            { title: "Rows", value: (r) => r.n },
            { title: "Power", value: (r) => r.power },
            { title: "Standard error", value: (r) => r.std_error }
          ]
        }
      )
    ] })
  ] }) });
};
function Zi({ answer: e }) {
  return /* @__PURE__ */ s("dl", { class: "facts", children: [
    /* @__PURE__ */ s("dt", { children: [
      "Power at ",
      e.n === null ? "n" : e.n.toLocaleString("en"),
      " rows"
    ] }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.power_at_n, name: "power-at-n", digits: 2 }) }),
    /* @__PURE__ */ s("dt", { children: [
      "Rows needed for power ",
      e.power
    ] }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.n_needed, name: "n-needed" }) }),
    /* @__PURE__ */ s("dt", { children: "Mildest effect seen" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.detectable, name: "detectable", digits: 3 }) }),
    /* @__PURE__ */ s("dt", { children: "No test needs fewer than about" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.n_limit, name: "n-limit" }) })
  ] });
}
function ea({ answer: e }) {
  const { points: t, fitted: n } = e;
  if (!t.n.length) return null;
  const l = (i) => t.power.map((a, c) => Math.min(1, Math.max(0, a + i * Xi * t.std_error[c]))), r = [
    ...n.n.length ? [{ id: "line", name: "fitted line", color: 0, x: n.n, y: n.power, style: "line", dash: "solid" }] : [],
    { id: "simulated", name: "simulated, ± 95 %", color: 1, x: t.n, y: t.power, low: l(-1), high: l(1), style: "points" }
  ], o = [
    { kind: "rule", axis: "y", at: e.power, label: `power ${e.power}` },
    ...e.n_needed === null ? [] : [{ kind: "rule", axis: "x", at: e.n_needed, label: `${e.n_needed.toLocaleString("en")} rows` }]
  ];
  return /* @__PURE__ */ s(Q, { label: `Power of the ${e.test} test against the number of rows`, series: r, marks: o, x: { title: "Number of rows" }, y: { title: `Power at level ${e.level}`, domain: [0, 1.02] }, height: 300 });
}
const ft = [0, 1], ta = ({ question: e, compact: t }) => {
  const [n, l] = _(!1), r = n ? { ...e, sure: n } : e, o = A(r);
  return /* @__PURE__ */ s(I, { of: o, what: e.method === "auto" ? "Trying all methods" : "Mending the rows", children: (i) => i.tried === !1 ? /* @__PURE__ */ s(na, { answer: i, go: () => l(!0) }) : /* @__PURE__ */ s(la, { answer: i, compact: t ?? !1 }) });
};
function na({ answer: e, go: t }) {
  const n = e.seconds ?? 0, l = n > 90 ? E(Math.round(n / 60), "minute") : E(Math.max(1, Math.round(n)), "second");
  return /* @__PURE__ */ s("div", { class: "notice", children: [
    /* @__PURE__ */ s("p", { children: [
      "Trying all methods on ",
      E(e.n, "row"),
      " may take about ",
      l,
      ". A single method, chosen above, is quicker."
    ] }),
    /* @__PURE__ */ s("button", { onClick: t, children: "Try them all" })
  ] });
}
function la({ answer: e, compact: t }) {
  const { advice: n, effect: l, map: r, before: o, after: i } = e, a = e.method === "auto" ? n?.verdict : l?.verdict;
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    e.reason && /* @__PURE__ */ s("div", { class: "notice", children: /* @__PURE__ */ s("p", { children: [
      oe(e.reason),
      "."
    ] }) }),
    a && /* @__PURE__ */ s("p", { "data-name": "advice", children: a }),
    e.method === "auto" && l && !t && /* @__PURE__ */ s("p", { "data-name": "effect", children: l.verdict }),
    l && /* @__PURE__ */ s("div", { class: "cal-side", children: [
      o && /* @__PURE__ */ s($l, { curve: o, name: "Before", p: l.test_before }),
      i && /* @__PURE__ */ s($l, { curve: i, name: `After ${l.method}`, p: l.test_after }),
      r && !t && /* @__PURE__ */ s(sa, { map: r })
    ] }),
    l && !t && /* @__PURE__ */ s(ra, { effect: l }),
    !t && e.method === "auto" && n && /* @__PURE__ */ s(oa, { advice: n }),
    !t && [...n?.remarks ?? [], ...l?.remarks ?? []].map((c) => /* @__PURE__ */ s(T, { children: c }, c)),
    l && !t && /* @__PURE__ */ s(T, { children: [
      "Every row here is mended by a map that was fitted on other rows; the map drawn is fitted on all ",
      E(l.n, "row"),
      "."
    ] })
  ] });
}
function $l({ curve: e, name: t, p: n }) {
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: [
      t,
      /* @__PURE__ */ s("br", {}),
      /* @__PURE__ */ s("small", { children: [
        "error ",
        O(e.value, 3),
        n !== null && `, test p = ${O(n, 3)}`
      ] })
    ] }),
    /* @__PURE__ */ s(Pn, { curve: e, label: `Reliability diagram ${t.toLowerCase()}`, compact: !0 })
  ] });
}
function sa({ map: e }) {
  const t = e.x_title === "rating";
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: [
      "The map",
      /* @__PURE__ */ s("br", {}),
      /* @__PURE__ */ s("small", { children: [
        "fitted on ",
        E(e.n, "row")
      ] })
    ] }),
    /* @__PURE__ */ s(
      Q,
      {
        label: `Map of ${e.method}`,
        square: !t,
        series: e.lines.map((n, l) => ({ id: n.name, name: n.name, color: l, x: n.x, y: n.y, style: "line", dash: "solid" })),
        marks: t ? [] : [{ kind: "segment", x: ft, y: ft, dash: "dashed", label: "as it is" }],
        x: { title: oe(e.x_title), ...t ? {} : { domain: ft } },
        y: { title: oe(e.y_title), domain: ft },
        table: !1
      }
    ),
    e.note && /* @__PURE__ */ s(T, { children: e.note })
  ] });
}
const Ds = ([e, t]) => /* @__PURE__ */ s(Rn, { low: e, high: t });
function ra({ effect: e }) {
  return /* @__PURE__ */ s(
    j,
    {
      caption: `The same ${E(e.n, "row")} before and after ${e.method}`,
      rows: e.changes,
      columns: [
        { title: "Score", value: (t) => t.title },
        { title: "Before", value: (t) => t.before },
        { title: "After", value: (t) => t.after },
        { title: "Difference", value: (t) => t.difference },
        { title: "95 % interval", value: (t) => Ds(t.interval_range) },
        { title: "p", value: (t) => t.p_value },
        { title: "Better", value: (t) => t.better }
      ]
    }
  );
}
function oa({ advice: e }) {
  const t = e.methods.filter((l) => l.reason === void 0), n = e.methods.filter((l) => l.reason !== void 0);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(
      j,
      {
        caption: `Every method, cross-fitted in ${e.parts} parts; as it is the log loss is ${O(e.log_loss_before)}`,
        rows: t,
        columns: [
          { title: "Method", value: (l) => l.title },
          { title: "Log loss", value: (l) => l.log_loss },
          { title: "Difference", value: (l) => l.log_loss_difference },
          { title: "95 % interval", value: (l) => Ds(l.log_loss_range) },
          { title: "Adjusted p", value: (l) => l.adjusted_p_value },
          { title: "Brier score", value: (l) => l.brier_score },
          { title: "AUC", value: (l) => l.roc_auc_after },
          { title: "Ties", value: (l) => re(l.ties_created) },
          { title: "Helps", value: (l) => l.helps ? "yes" : "no" }
        ]
      }
    ),
    n.length > 0 && /* @__PURE__ */ s(T, { children: [
      "Not tried: ",
      n.map((l) => `${l.method} (${l.reason})`).join(", "),
      "."
    ] })
  ] });
}
function Fs({ bars: e, title: t, label: n, draws: l }) {
  const r = [
    ...e.low !== null && e.high !== null ? [{ kind: "region", axis: "x", from: e.low, to: e.high }] : [],
    ...e.value !== null ? [{ kind: "rule", axis: "x", at: e.value, label: "observed" }] : []
  ], o = [{ id: "draws", name: "if the probabilities are true", color: 0, x: e.edges.slice(0, -1), x1: e.edges.slice(1), y: e.counts, style: "bars", muted: !0 }], [i, a] = [Math.min(e.edges[0] ?? 1 / 0, e.value ?? 1 / 0), Math.max(e.edges.at(-1) ?? -1 / 0, e.value ?? -1 / 0)], c = 0.05 * (a - i) || 0.05;
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(
      Q,
      {
        label: n,
        series: o,
        marks: r,
        x: { title: e.scale === "linear" ? t : `${t}, powers of ten`, domain: [i - c, a + c] },
        y: { title: `Draws of ${l.toLocaleString("en")}` },
        height: 220,
        legend: !1
      }
    ),
    /* @__PURE__ */ s(T, { children: "Bars: what true probabilities score on these rows; shaded: 95 % of them." }),
    e.infinite > 0 && /* @__PURE__ */ s(T, { children: [
      E(e.infinite, "draw"),
      " without a finite value ",
      e.infinite === 1 ? "is" : "are",
      " not drawn."
    ] })
  ] });
}
const qs = (e) => e.models.find((t) => t.model === e.shown) ?? e.models[0], ia = ({ question: e, compact: t }) => {
  const n = A(e, { delay: 120 });
  return /* @__PURE__ */ s(I, { of: n, what: "Measuring calibration", children: (l) => /* @__PURE__ */ s(aa, { answer: l, compact: t ?? !1, others: e.others === !0 }) });
};
function aa({ answer: e, compact: t, others: n }) {
  const l = qs(e), r = `Reliability diagram${l.model === null ? "" : ` of ${l.model}`}`, i = (n ? e.models.filter((c) => c !== l && c.curve) : []).map((c) => ({ name: c.model ?? "", x: c.curve.mean_probability, y: c.curve.outcome_share, muted: !0 })), a = l.curve ? /* @__PURE__ */ s(Pn, { curve: l.curve, label: r, overlays: i, compact: t }) : /* @__PURE__ */ s(Wi, { found: l, label: r });
  return t ? /* @__PURE__ */ s(x, { children: [
    a,
    /* @__PURE__ */ s(Sl, { found: l })
  ] }) : /* @__PURE__ */ s("div", { class: "cal-pair", children: [
    /* @__PURE__ */ s("div", { children: [
      a,
      l.why_no_curve && /* @__PURE__ */ s(T, { children: l.why_no_curve })
    ] }),
    /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s(Sl, { found: l }),
      l.histogram && /* @__PURE__ */ s(Fs, { bars: l.histogram, title: `Calibration error (${l.distance})`, label: `Calibration errors if the probabilities of ${l.model ?? "these rows"} are true`, draws: l.resamples }),
      /* @__PURE__ */ s(ua, { found: l })
    ] })
  ] });
}
function Sl({ found: e }) {
  const [t, n] = e.null_range;
  return /* @__PURE__ */ s("div", { class: "cal-words", children: [
    /* @__PURE__ */ s("p", { class: "cal-headline", children: [
      /* @__PURE__ */ s("span", { class: "cal-big", children: e.value === null ? "∞" : /* @__PURE__ */ s(C, { value: e.value, digits: 3, name: "error" }) }),
      " calibration error",
      e.model !== null && /* @__PURE__ */ s(x, { children: [
        " of ",
        e.model
      ] })
    ] }),
    t !== null && n !== null && /* @__PURE__ */ s("p", { children: [
      "True probabilities would score ",
      /* @__PURE__ */ s(C, { value: t, digits: 3, name: "null-low" }),
      " to ",
      /* @__PURE__ */ s(C, { value: n, digits: 3, name: "null-high" }),
      " on these ",
      E(e.n, "row"),
      ", ",
      /* @__PURE__ */ s(C, { value: e.null_mean, digits: 3, name: "null-mean" }),
      " on average. ",
      ca(e.value, t, n),
      " (p = ",
      /* @__PURE__ */ s(C, { value: e.p_value, name: "p-value" }),
      ")."
    ] }),
    e.reason && /* @__PURE__ */ s(T, { children: [
      oe(e.reason),
      "."
    ] }),
    e.notes.map((l) => /* @__PURE__ */ s(T, { children: l }, l))
  ] });
}
function ca(e, t, n) {
  return e === null || e > n ? "This error is larger than chance explains" : e < t ? "This error is smaller than chance would have it, as if the probabilities had seen the outcomes or the rows were copies" : "This error is what chance alone would give; that is no proof of calibration";
}
function ua({ found: e }) {
  return /* @__PURE__ */ s("dl", { class: "facts", children: [
    /* @__PURE__ */ s("dt", { children: "View" }),
    /* @__PURE__ */ s("dd", { children: e.view }),
    /* @__PURE__ */ s("dt", { children: "Bins" }),
    /* @__PURE__ */ s("dd", { children: e.scheme }),
    /* @__PURE__ */ s("dt", { children: "Excess over true" }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.excess, name: "excess" }) }),
    e.effective_n !== e.n && /* @__PURE__ */ s(x, { children: [
      /* @__PURE__ */ s("dt", { children: "Effective rows" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.effective_n }) })
    ] }),
    e.impossible_rows > 0 && /* @__PURE__ */ s(x, { children: [
      /* @__PURE__ */ s("dt", { children: "Impossible rows" }),
      /* @__PURE__ */ s("dd", { children: [
        E(e.impossible_rows, "row"),
        " whose class had been given probability 0"
      ] })
    ] })
  ] });
}
const Ln = [
  { value: "equal-width", label: "Equal width", numbered: !0 },
  { value: "equal-size", label: "Equally many rows", numbered: !0 },
  { value: "tail-width", label: "Narrow near 0 and 1", numbered: !0 },
  { value: "log-odds-width", label: "Equal width in log-odds", numbered: !0 },
  { value: "freedman-diaconis", label: "Freedman–Diaconis rule", numbered: !1 },
  { value: "monotone-sweep", label: "Monotone sweep", numbered: !1 },
  { value: "isotonic", label: "Isotonic", numbered: !1 },
  { value: "one-per-point", label: "One row a bin", numbered: !1 }
], Cl = [
  { value: "absolute", label: "Absolute" },
  { value: "square", label: "Square" },
  { value: "log", label: "Log" },
  { value: "chi-square", label: "Chi-square" },
  { value: "hellinger", label: "Hellinger" },
  { value: "overestimation", label: "Too high only" },
  { value: "underestimation", label: "Too low only" }
], da = ["absolute", "square", "log", "chi-square"], Tl = (e) => e === "joint" ? Cl.filter((t) => da.includes(t.value)) : Cl, js = [
  { value: "omnibus", label: "Omnibus: several at once" },
  { value: "ece", label: "Calibration error in bins" },
  { value: "log-loss", label: "Log loss" },
  { value: "brier-score", label: "Brier score" },
  { value: "chi-square", label: "Chi-square" },
  { value: "spiegelhalter", label: "Spiegelhalter's Z" },
  { value: "hosmer-lemeshow", label: "Hosmer–Lemeshow" },
  { value: "cox", label: "Cox: slope and intercept" },
  { value: "kolmogorov-smirnov", label: "Kolmogorov–Smirnov" },
  { value: "kuiper", label: "Kuiper" },
  { value: "skce", label: "Kernel calibration error" }
], ha = [199, 999, 9999].map((e) => ({ value: String(e), label: e.toLocaleString("en") })), un = [
  { value: "overconfident", label: "Overconfident", size: 1.2, unit: "Temperature", hint: "Above 1: the probabilities are too sharp.", min: 1, step: 0.05 },
  { value: "underconfident", label: "Underconfident", size: 0.8, unit: "Temperature", hint: "Below 1: the probabilities are too blunt.", min: 0.05, max: 1, step: 0.05 },
  { value: "shift", label: "Shifted probability", size: 0.05, unit: "Shift", hint: "The truth is that much higher; below 0 lower.", min: -1, max: 1, step: 0.01 },
  { value: "random-labels", label: "Random labels", size: 0.05, unit: "Share of rows", hint: "In this share the label says nothing.", min: 0, max: 1, step: 0.01 },
  { value: "ece", label: "True calibration error", size: 0.03, unit: "Error", hint: "Overconfidence of this size.", min: 0, max: 1, step: 0.01 }
], Bs = (e) => un.find((t) => t.value === e) ?? un[0];
function fa(e, t) {
  const n = t ?? e.positive;
  if (e.k === 2) {
    const l = e.classes.map((r) => r.name).find((r) => r !== n);
    return [
      { value: "", label: `Is it ${n}? (usual)` },
      { value: `one-vs-rest:${l}`, label: `Is it ${l}?` },
      { value: "top-label", label: "Is the likelier class right?" },
      { value: "classwise", label: "Both classes in turn" },
      { value: "joint", label: "Whole vectors" }
    ];
  }
  return [
    { value: "", label: "Is the most likely class right? (usual)" },
    ...e.classes.map((l) => ({ value: `one-vs-rest:${l.name}`, label: `Is it ${l.name}?` })),
    { value: "top-k:2", label: "Is it among the 2 most likely?" },
    ...e.k > 5 ? [{ value: "top-k:5", label: "Is it among the 5 most likely?" }] : [],
    { value: "classwise", label: "Every class in turn" },
    { value: "joint", label: "Whole vectors" }
  ];
}
const lt = (e) => e === null || !["classwise", "joint"].includes(e), ma = ({ question: e, compact: t }) => {
  const n = A(e, { delay: 120 });
  return /* @__PURE__ */ s(I, { of: n, what: "Measuring with few bins and many", children: (l) => /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s("p", { "data-name": "sensitivity-verdict", children: l.verdict }),
    /* @__PURE__ */ s("div", { class: "cal-side", children: l.schemes.map((r) => /* @__PURE__ */ s(pa, { scheme: r, answer: l }, r.name)) }),
    !t && /* @__PURE__ */ s(T, { children: "Bins chosen after a look at this chart make any p-value worthless." }),
    l.notes.map((r) => /* @__PURE__ */ s(T, { children: r }, r))
  ] }) });
};
function pa({ scheme: e, answer: t }) {
  const n = Float64Array.from(e.bins.keys()), l = Ln.find((i) => i.value === e.name)?.label ?? e.name, r = Math.max(...t.schemes.flatMap((i) => [...i.value, ...i.null_high].filter(Number.isFinite))), o = [
    { id: "true", name: "95 % range if true", color: 0, x: n, y: e.null_mean, low: e.null_low, high: e.null_high, muted: !0, dash: "dashed" },
    { id: "observed", name: "observed", color: 0, x: n, y: e.value, style: "line+points", dash: "solid" }
  ];
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("figcaption", { children: l }),
    /* @__PURE__ */ s(
      Q,
      {
        label: `Calibration error by number of bins: ${l}`,
        series: o,
        x: { title: "Number of bins", names: Array.from(e.bins, String) },
        y: { title: `Calibration error (${t.distance})`, domain: [0, 1.05 * r || 1] },
        height: 280
      }
    )
  ] });
}
const ga = ({ question: e, compact: t }) => {
  const n = A(e, { delay: 120 });
  return /* @__PURE__ */ s(I, { of: n, what: "Testing calibration", children: (l) => /* @__PURE__ */ s(ba, { answer: l, one: qs(l), compact: t ?? !1 }) });
};
function ba({ answer: e, one: t, compact: n }) {
  return /* @__PURE__ */ s("div", { class: n ? "stack" : "cal-pair", children: [
    /* @__PURE__ */ s("div", { class: "cal-words", children: [
      /* @__PURE__ */ s("p", { class: "cal-headline", children: [
        /* @__PURE__ */ s("span", { class: "cal-big", children: [
          "p = ",
          /* @__PURE__ */ s(C, { value: t.p_value, name: "test-p" })
        ] }),
        t.model !== null && /* @__PURE__ */ s(x, { children: [
          " ",
          t.model
        ] })
      ] }),
      /* @__PURE__ */ s("p", { "data-name": "verdict", children: t.verdict }),
      t.finding && !t.verdict.includes(t.finding) && /* @__PURE__ */ s("p", { children: t.finding }),
      t.reason && /* @__PURE__ */ s(T, { children: [
        oe(t.reason),
        "."
      ] }),
      t.notes.map((l) => /* @__PURE__ */ s(T, { children: l }, l)),
      !n && /* @__PURE__ */ s("dl", { class: "facts", children: [
        /* @__PURE__ */ s("dt", { children: "Test" }),
        /* @__PURE__ */ s("dd", { children: [
          e.title,
          ": ",
          e.formula
        ] }),
        /* @__PURE__ */ s("dt", { children: "View" }),
        /* @__PURE__ */ s("dd", { children: t.view }),
        /* @__PURE__ */ s("dt", { children: "Null" }),
        /* @__PURE__ */ s("dd", { children: t.method }),
        /* @__PURE__ */ s("dt", { children: "Source" }),
        /* @__PURE__ */ s("dd", { children: e.source })
      ] })
    ] }),
    /* @__PURE__ */ s("div", { children: [
      t.histogram ? /* @__PURE__ */ s(Fs, { bars: t.histogram, title: oe(t.statistic), label: `Null of the test ${t.statistic}`, draws: t.resamples }) : /* @__PURE__ */ s(T, { children: "Nothing had to be drawn: the p-value is computed from the predictions themselves." }),
      !n && e.models.length > 1 && /* @__PURE__ */ s(
        j,
        {
          caption: "The same test of every chosen model",
          rows: e.models,
          columns: [
            { title: "Model", value: (l) => l.model },
            { title: "Statistic", value: (l) => l.value },
            { title: "p", value: (l) => l.p_value }
          ]
        }
      )
    ] })
  ] });
}
const Ws = {
  reliability: ia,
  "calibration-test": ga,
  diagnosis: zi,
  groups: Vi,
  sensitivity: ma,
  plan: Yi,
  recalibration: ta
}, Hs = (e) => e.map(({ label: t, x: n, y: l, second: r }, o) => ({ id: `guide ${o}`, name: t ?? "", color: 0, x: n, y: l, guide: !0, ...r ? { dash: "dotted" } : {} })), va = 2;
function dn(e) {
  const { y2: t, ...n } = e;
  if (typeof t != "string" || !t.trim()) return null;
  const l = { ...n.curve, y: t, y_title: null, band: "none" };
  return { ...n, kind: "curve", curve: l, hull: !1 };
}
function ya(e, t) {
  const n = e.x_names.length ? { names: e.x_names } : {}, l = e.scale === "normal-deviate" ? { scale: e.scale } : {}, r = hn(e), o = t ? hn(t).map((i) => ({ ...i, id: `right ${i.id}`, name: `${i.name ? `${i.name}: ` : ""}${t.y_title}`, color: i.color + (_a(e) ? 1 : 0), axis: "right", dash: "dashed" })) : [];
  return {
    label: e.title,
    series: [...r, ...$a(e), ...o, ...Hs(e.guides)],
    x: { title: e.x_title, ...n, ...l, ...Ml(e) },
    y: { title: e.y_title, ...l, ...Ml(e), ...e.floor === null ? {} : { floor: e.floor } },
    ...t ? { right: { title: t.y_title } } : {},
    square: e.square && t === null,
    marks: xa(e)
  };
}
const Ml = (e) => e.square ? { domain: [0, 1] } : {}, _a = (e) => new Set(e.lines.map(st)).size === 1, st = (e) => JSON.stringify([e.model, e.target]);
function hn(e) {
  const t = [...new Set(e.lines.map(st))], n = e.settings.average === "none" && e.lines.length >= va * t.length;
  return e.lines.map((l) => ({ line: l, color: t.indexOf(st(l)) })).filter(({ line: l }) => l.points > 0).map(({ line: l, color: r }) => ({
    id: l.name || "curve",
    name: l.name || e.title,
    color: r,
    x: l.x,
    y: l.y,
    threshold: l.threshold,
    style: wa(e),
    ...l.path ? { path: l.path } : {},
    ...n ? { thin: !0 } : {},
    ...ka(e, l),
    ...e.x_names.length && l.more.count ? { size: l.more.count } : {}
  }));
}
function wa(e) {
  return e.x_names.length ? "points" : e.settings.average === "threshold" ? "line+points" : e.shape === "step" && (e.settings.average === "merge" || e.settings.average === "none") ? "step" : "line";
}
function ka(e, t) {
  const { y_low: n, y_high: l, y_sd: r } = t.more;
  return n && l ? { low: n, high: l } : e.settings.band !== "folds" || !r ? {} : { low: t.y.map((o, i) => o - r[i]), high: t.y.map((o, i) => o + r[i]) };
}
function xa(e) {
  return e.settings.band !== "folds" ? [] : e.lines.flatMap((t) => {
    const n = t.more.x_sd;
    return n ? Array.from(t.x, (l, r) => ({ kind: "segment", x: [l - n[r], l + n[r]], y: [t.y[r], t.y[r]], dash: "solid" })).filter((l) => l.kind === "segment" && l.x.every(Number.isFinite) && l.x[0] < l.x[1]) : [];
  });
}
function $a(e) {
  const t = [...new Set(e.lines.map(st))];
  return e.lines.flatMap(
    (n) => n.hull ? [{ id: `hull ${n.name}`, name: `hull${n.name ? ` of ${n.name}` : ""}`, color: t.indexOf(st(n)), x: n.hull.x, y: n.hull.y, style: "line", dash: "dotted" }] : []
  );
}
const Sa = (e) => `${O(e.points)} ${e.points === 1 ? "point" : "points"} of ${O(e.n)} rows`;
function Nt({ filename: e, mime: t, bytes: n }) {
  const l = URL.createObjectURL(new Blob([n], { type: t })), r = document.createElement("a");
  r.href = l, r.download = e, document.body.append(r), r.click(), r.remove(), setTimeout(() => URL.revokeObjectURL(l), 6e4);
}
const Ca = (e) => e.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60).replace(/-+$/, "") || "board";
function ee({ label: e, hint: t, children: n }) {
  const l = U();
  return /* @__PURE__ */ s("div", { class: "field", children: [
    /* @__PURE__ */ s("label", { for: l, children: e }),
    n(l),
    t && /* @__PURE__ */ s("small", { children: t })
  ] });
}
function M({ label: e, value: t, choices: n, onChange: l, hint: r }) {
  return /* @__PURE__ */ s(ee, { label: e, ...r ? { hint: r } : {}, children: (o) => /* @__PURE__ */ s("select", { id: o, value: t, onChange: (i) => l(i.currentTarget.value), children: n.map((i) => /* @__PURE__ */ s("option", { value: i.value, children: i.label }, i.value)) }) });
}
function $e({ label: e, checked: t, onChange: n }) {
  return /* @__PURE__ */ s("label", { class: "check", children: [
    /* @__PURE__ */ s("input", { type: "checkbox", checked: t, onChange: (l) => n(l.currentTarget.checked) }),
    /* @__PURE__ */ s("span", { children: e })
  ] });
}
function z({ label: e, value: t, onChange: n, min: l, max: r, step: o, hint: i, live: a }) {
  const [c, u] = _(null);
  return /* @__PURE__ */ s(ee, { label: e, ...i ? { hint: i } : {}, children: (d) => /* @__PURE__ */ s(
    "input",
    {
      id: d,
      type: "number",
      value: c ?? t ?? "",
      min: l,
      max: r,
      step: o ?? "any",
      onInput: (f) => {
        u(f.currentTarget.value), a && n(f.currentTarget.value === "" ? null : f.currentTarget.valueAsNumber);
      },
      onBlur: () => u(null),
      onChange: (f) => {
        u(null), n(f.currentTarget.value === "" ? null : f.currentTarget.valueAsNumber);
      }
    }
  ) });
}
const Ta = [
  { value: "at least", label: "at least the bound" },
  { value: "at most", label: "at most the bound" }
];
function Ma({ question: e, name: t, done: n }) {
  const l = te(), [r, o] = _(null), i = { what: e, ...r ? { holds: r } : {} }, a = A({ kind: "guard", ...i }), [c, u] = _(null), [d, f] = _(null), h = a.answer?.bound ?? null;
  P(() => u(h), [h]);
  const m = async () => {
    try {
      Nt(await l.host.ask(l.table, { kind: "export", ...i, format: "pytest", title: t, bound: c })), n();
    } catch (p) {
      f(se(p));
    }
  };
  return /* @__PURE__ */ s(I, { of: a, what: "Computing the number", children: (p) => /* @__PURE__ */ s(
    "form",
    {
      onSubmit: (g) => {
        g.preventDefault(), m();
      },
      children: [
        /* @__PURE__ */ s("p", { children: [
          p.what,
          ": ",
          /* @__PURE__ */ s("data", { value: String(p.value), children: O(p.value) }),
          ".",
          !p.free && ` The test passes while it is ${p.holds} the bound.`
        ] }),
        p.free && /* @__PURE__ */ s(M, { label: "The test passes while it is", value: p.holds, choices: Ta, onChange: (g) => o(g) }),
        /* @__PURE__ */ s(z, { label: "Bound", value: c, onChange: u, hint: p.why }),
        d && /* @__PURE__ */ s(Z, { failure: d }),
        /* @__PURE__ */ s("button", { type: "submit", class: "primary", disabled: c === null, children: "Download test" })
      ]
    }
  ) });
}
const Al = 8, Aa = {
  svg: "SVG picture",
  png: "PNG picture",
  pdf: "PDF picture",
  csv: "CSV table",
  json: "JSON",
  html: "HTML page",
  py: "Python code",
  pytest: "Test that guards the number …"
};
function ue({ question: e, name: t }) {
  const n = k((f) => f.threshold), l = e.kind === "curve" && n !== null ? { ...e, threshold: n } : e, [r, o] = _(!1), [i, a] = _(!1), c = N(null), u = () => {
    o(!1), a(!1);
  }, d = N(null);
  return Na(d, r), P(() => {
    if (!r) return;
    const f = (h) => !c.current?.contains(h.target) && u();
    return document.addEventListener("pointerdown", f), () => document.removeEventListener("pointerdown", f);
  }, [r]), /* @__PURE__ */ s(
    "div",
    {
      class: "export",
      ref: c,
      onKeyDown: (f) => {
        f.key !== "Escape" || !r || (f.stopPropagation(), u(), c.current?.querySelector("button")?.focus());
      },
      children: [
        /* @__PURE__ */ s("button", { type: "button", "aria-expanded": r, "aria-label": `Export ${t}`, onClick: () => r ? u() : o(!0), children: "Export" }),
        r && /* @__PURE__ */ s("div", { class: "export-panel", ref: d, role: "group", "aria-label": `Export ${t} as`, children: i ? /* @__PURE__ */ s(Ma, { question: l, name: t, done: u }) : /* @__PURE__ */ s(Oa, { question: l, name: t, guard: () => a(!0) }) })
      ]
    }
  );
}
function Na(e, t) {
  Ee(() => {
    const n = e.current, l = n?.closest(".plumbline");
    if (!n || !l) return;
    const r = () => {
      const { left: i, right: a } = n.getBoundingClientRect(), c = Number(n.dataset.moved ?? 0), u = l.getBoundingClientRect(), d = Math.min(u.right, window.innerWidth) - Al, f = Math.min(0, Math.max(d - (a - c), u.left + Al - (i - c)));
      n.dataset.moved = String(f), n.style.transform = `translateX(${f}px)`;
    };
    r();
    const o = new ResizeObserver(r);
    return o.observe(n), () => o.disconnect();
  }, [e, t]);
}
function Oa({ question: e, name: t, guard: n }) {
  const l = A({ kind: "formats" }), { save: r, copy: o, busy: i, told: a, failure: c } = Ea(e, t), u = N(null), d = l.answer?.formats[e.kind] ?? [];
  return P(() => u.current?.querySelector("button")?.focus(), [d.length]), l.error ? /* @__PURE__ */ s(Z, { failure: l.error, retry: l.retry }) : l.answer && !d.length ? /* @__PURE__ */ s("p", { children: "There is nothing to export here." }) : /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("ul", { ref: u, children: [
      d.map((f) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", "aria-disabled": i, onClick: () => f === "pytest" ? n() : void r(f), children: Aa[f] ?? f }) }, f)),
      d.includes("py") && /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", "aria-disabled": i, onClick: () => void o(), children: "Copy as Python" }) })
    ] }),
    /* @__PURE__ */ s("p", { class: "hint", role: "status", children: i ? "Making the file …" : a }),
    c && /* @__PURE__ */ s(Z, { failure: c })
  ] });
}
function Ea(e, t) {
  const n = te(), [l, r] = _(!1), [o, i] = _(""), [a, c] = _(null), u = async (m) => await n.host.ask(n.table, { kind: "export", what: e, format: m, title: t }), d = async (m, p) => {
    if (!l) {
      r(!0), c(null), i("");
      try {
        i(await p(await u(m)));
      } catch (g) {
        c(se(g));
      } finally {
        r(!1);
      }
    }
  };
  return { save: (m) => d(m, (p) => (Nt(p), `Saved ${p.filename}.`)), copy: () => d("py", async (m) => (await navigator.clipboard.writeText(new TextDecoder().decode(m.bytes)), "Copied.")), busy: l, told: o, failure: a };
}
const zs = ["data", "curve", "reading", "calibration", "models", "matrix"];
function Ft(e) {
  const t = new URLSearchParams();
  e.table && t.set("table", e.table), e.room !== ce.room && t.set("room", e.room), e.threshold !== null && t.set("threshold", String(e.threshold));
  for (const l of zs) {
    const r = Pa(e[l], ce[l]);
    Object.keys(r).length && t.set(l, JSON.stringify(r));
  }
  const n = t.toString();
  return n ? `#${n}` : "";
}
function qt(e) {
  const t = new URLSearchParams(e.replace(/^#/, "")), n = t.get("room"), l = t.has("threshold") ? Number(t.get("threshold")) : NaN, r = {
    ...ce,
    table: t.get("table"),
    room: n && vs.includes(n) ? n : ce.room,
    threshold: Number.isNaN(l) ? null : l
  };
  for (const o of zs) {
    const i = Ra(t.get(o)), a = ce[o], c = Object.entries(i).filter(([u, d]) => Object.hasOwn(a, u) && La(d, a[u]));
    Object.assign(r, { [o]: { ...ce[o], ...Object.fromEntries(c) } });
  }
  return { ...r, data: lo(r.data) };
}
function Pa(e, t) {
  const n = Object.entries(e).filter(([l, r]) => JSON.stringify(r) !== JSON.stringify(t[l]));
  return Object.fromEntries(n);
}
function Ra(e) {
  try {
    const t = JSON.parse(e ?? "{}");
    return t !== null && typeof t == "object" && !Array.isArray(t) ? t : {};
  } catch {
    return {};
  }
}
function La(e, t) {
  return t === void 0 ? !1 : t === null ? !0 : e === null ? typeof t == "number" || typeof t == "string" && t !== "" : typeof e == typeof t && Array.isArray(e) === Array.isArray(t);
}
const rt = 200;
function jt() {
  return crypto.getRandomValues(new Uint32Array(2)).join("-");
}
function Ia(e, t, n) {
  const l = Ft({ ...n, table: null });
  return { id: jt(), title: t, note: "", question: e, from: l };
}
const Da = () => ({ id: jt(), title: "Note", note: "", question: null, from: null }), Fa = (e, t) => {
  const n = JSON.stringify(t);
  return e.some((l) => l.question !== null && JSON.stringify(l.question) === n);
}, qa = (e, t, n) => e.map((l) => l.id === t ? { ...l, ...n } : l), Us = (e, t) => e.filter((n) => n.id !== t);
function ja(e, t) {
  return e.flatMap((n) => n.id === t ? [n, { ...n, id: jt(), title: `${n.title} (copy)` }] : [n]);
}
function Ba(e, t, n) {
  const l = e.find((o) => o.id === t);
  if (!l || n < 0 || n >= e.length) return [...e];
  const r = Us(e, t);
  return [...r.slice(0, n), l, ...r.slice(n)];
}
function Wa(e, t) {
  return { ...qt(e.from ?? ""), table: t.table, board: t.board };
}
function de({ question: e, title: t }) {
  const n = $(), l = k((o) => o.board.pins);
  if (Fa(l, e))
    return /* @__PURE__ */ s("button", { type: "button", class: "pin", "aria-label": `${t}: show on the board`, onClick: () => n.go("board"), children: "On the board" });
  const r = l.length >= rt;
  return /* @__PURE__ */ s(
    "button",
    {
      type: "button",
      class: "pin",
      "aria-label": `Pin ${t} to the board`,
      disabled: r,
      ...r ? { title: `The board is full: ${rt} cards` } : {},
      onClick: () => n.edit("board", { pins: [...n.state.board.pins, Ia(e, t, n.state)] }),
      children: "Pin"
    }
  );
}
function Vs({ answer: e, second: t, question: n, compact: l = !1, marks: r = [], between: o }) {
  const i = U(), a = e.lines.some((u) => u.points > 0), c = ya(e, t);
  return /* @__PURE__ */ s("figure", { class: "block curve-figure", "aria-labelledby": i, children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("div", { class: "curve-heads", children: [
        /* @__PURE__ */ s("h2", { id: i, children: e.title }),
        /* @__PURE__ */ s("p", { class: "hint", children: e.described })
      ] }),
      !l && /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s(de, { question: n, title: e.title }),
        /* @__PURE__ */ s(ue, { question: n, name: e.title })
      ] })
    ] }),
    a ? /* @__PURE__ */ s(Q, { ...c, marks: [...c.marks ?? [], ...r], cursor: !0, ...o ? { between: o } : {}, ...l ? { table: !1, height: 260 } : {} }) : /* @__PURE__ */ s(Ha, { answer: e }),
    /* @__PURE__ */ s(za, { answer: e }),
    e.spread && /* @__PURE__ */ s("p", { class: "hint", children: In(e.spread) }),
    !l && /* @__PURE__ */ s(Ua, { answer: e, second: t }),
    !l && e.explanation && /* @__PURE__ */ s("details", { class: "curve-reading", children: [
      /* @__PURE__ */ s("summary", { children: "How to read it" }),
      /* @__PURE__ */ s("p", { children: e.explanation })
    ] })
  ] });
}
function Ha({ answer: e }) {
  const t = [...new Set(e.lines.map((n) => n.reason ?? "no point is defined"))];
  return /* @__PURE__ */ s("div", { class: "empty", role: "status", children: [
    /* @__PURE__ */ s("strong", { children: "There is nothing to draw" }),
    t.map((n) => /* @__PURE__ */ s("p", { children: In(n) }, n))
  ] });
}
function za({ answer: e }) {
  const t = e.lines.filter((l) => l.area !== null);
  if (e.area_name === null || !t.length) return null;
  const n = e.area_name;
  if (t.length > 12) {
    const l = t.map((r) => r.area).sort((r, o) => r - o);
    return /* @__PURE__ */ s("p", { class: "areas", children: [
      n,
      " of ",
      E(t.length, "line"),
      ": ",
      /* @__PURE__ */ s(C, { value: l[0] }),
      " to ",
      /* @__PURE__ */ s(C, { value: l.at(-1) })
    ] });
  }
  return /* @__PURE__ */ s("ul", { class: "chips areas", "aria-label": n, children: t.map((l) => /* @__PURE__ */ s("li", { class: "chip", children: [
    /* @__PURE__ */ s("span", { children: l.name ? `${l.name}: ${n}` : n }),
    /* @__PURE__ */ s("strong", { children: /* @__PURE__ */ s(C, { value: l.area, name: n }) })
  ] }, l.name)) });
}
function Ua({ answer: e, second: t }) {
  const n = e.lines.some((a) => a.points > 0), l = n ? e.lines.filter((a) => a.points === 0) : [], r = e.lines.length === 1 && n ? [Sa(e.lines[0])] : [], o = [e, ...t ? [t] : []].flatMap((a) => Object.entries(a.undefined)), i = [.../* @__PURE__ */ new Set([...e.notes, ...t?.notes ?? []])];
  return !r.length && !l.length && !o.length && !i.length ? null : /* @__PURE__ */ s("ul", { class: "hints curve-notes", "aria-label": "Notes on the curve", children: [
    r.map((a) => /* @__PURE__ */ s("li", { children: a }, a)),
    l.map((a) => /* @__PURE__ */ s("li", { class: "warning", children: [
      a.name,
      ": ",
      a.reason
    ] }, a.name)),
    o.map(([a, c]) => /* @__PURE__ */ s("li", { children: [
      E(c, "point"),
      " left out: ",
      a
    ] }, a)),
    i.map((a) => /* @__PURE__ */ s("li", { class: "warning", children: In(a) }, a))
  ] });
}
const In = (e) => /^[a-z][a-z]+ /.test(e) ? e[0].toUpperCase() + e.slice(1) : e, Va = { variables: [], functions: [], presets: [] }, Yt = /* @__PURE__ */ new WeakMap();
function it() {
  const e = te(), [t, n] = _(Va);
  return P(() => {
    let l = !0;
    const r = Yt.get(e) ?? e.ask({ kind: "vocabulary" });
    return Yt.set(e, r), r.then(
      (o) => l && n(o),
      () => Yt.delete(e)
      // asked again by the next box; a formula can be typed without it
    ), () => {
      l = !1;
    };
  }, [e]), t;
}
function ne(e) {
  const t = e.where.trim();
  return { ...e, where: t || null };
}
function Ga(e) {
  const { hull: t, y2: n, ...l } = e;
  return l;
}
function Ja(e, t) {
  return {
    kind: "curve",
    data: ne(e.data),
    curve: Ga(e.curve),
    hull: e.curve.hull,
    width: t
  };
}
const Gs = (e, t) => e.presets.find((n) => n.name === t.preset) ?? null;
function Js(e, t, n) {
  return {
    ...Mn,
    preset: t,
    x: n,
    band: e.band === "bootstrap" ? "bootstrap" : "none",
    multiclass: e.multiclass === "macro" ? null : e.multiclass
  };
}
function Ka(e, t, n) {
  const l = e.x === null ? null : n.variables.find((o) => o.attribute && o.title === e.x)?.name ?? e.x, r = (o, i) => i === o ? null : i;
  return {
    ...e,
    preset: null,
    x: l ?? t.x ?? "threshold",
    y: e.y ?? t.y,
    x_title: e.x_title ?? (e.x === null ? t.x_title : null),
    y_title: e.y_title ?? (e.y === null ? t.y_title : null),
    sort_by: e.sort_by ?? t.sort_by,
    direction: e.direction ?? r("descending", t.direction),
    merge: e.merge ?? r("last", t.merge),
    average: e.average ?? r("merge", t.average)
  };
}
function Nl(e, t) {
  return e === "x" ? { x: t, x_title: null } : { y: t, y_title: null };
}
function Qa(e, t) {
  const n = e > 0 && e < 1, l = Math.abs(e) || 1;
  let r = e < 0 ? 3 * e : 0, o = n ? 1 : e < 0 ? 0 : Ol(4 * l);
  return e < 0 && (r = -Ol(4 * l)), e === 0 && ([r, o] = [-1, 1]), r = Math.min(r, t), o = Math.max(o, t), { low: r, high: o, step: 10 ** Math.floor(Math.log10((o - r) / 100)) };
}
function Ol(e) {
  const t = 10 ** Math.floor(Math.log10(e));
  return [1, 2, 5, 10].map((n) => n * t).find((n) => n >= e * (1 - 1e-9)) ?? 10 * t;
}
const El = ["none", "vertical", "threshold"], Xa = ["vertical", "threshold", "smooth"], Ya = 3e5;
function Ks(e, t, n) {
  const l = e.band === "folds" ? "vertical" : null, r = n, o = e.average ?? Pl("merge", t?.average), i = o ?? l ?? r?.average ?? "merge";
  return {
    sort_by: e.sort_by ?? t?.sort_by ?? null,
    direction: e.direction ?? t?.direction ?? "descending",
    average: i,
    fixed: o !== null,
    merge: e.merge ?? Pl("last", t?.merge) ?? r?.merge ?? (i === "smooth" ? "none" : "last")
  };
}
const Pl = (e, t) => t === void 0 || t === e ? null : t;
function Ke(e, t, n, l) {
  const r = {}, o = (i, a, c) => {
    a && !(i in r) && (r[i] = c);
  };
  if (e === "average")
    for (const i of El) o(i, l.folds.length === 0, "the table has no folds");
  if (e === "band") {
    o("bootstrap", El.includes(n.average), "it resamples the rows of one curve, and the folds are taken apart: merge the folds"), o("folds", l.folds.length === 0, "the table has no folds"), o("folds", n.fixed && !["vertical", "threshold"].includes(n.average), "it is the spread of averaged folds: average them, vertically or by threshold");
    for (const i of ["folds", "bootstrap"]) o(i, t.multiclass === "macro", "the mean over the classes has no band");
  }
  return e === "multiclass" && (o("macro", t.band !== "none", "it is a mean itself and has no band: take the band away"), o("macro", Xa.includes(n.average), "it is a mean itself, of the classes: merge the folds")), e === "direction" && o("unsorted", n.sort_by !== null, `the rows are sorted by ${n.sort_by}: empty that first`), r;
}
function Za(e, t, n) {
  const l = {
    average: t.average,
    band: e.band,
    multiclass: e.multiclass ?? "",
    direction: t.direction
  }, r = {};
  for (const o of Object.keys(l)) {
    const i = Ke(o, e, t, n)[l[o]];
    i && (r[o] = i);
  }
  return r;
}
const ec = (e, t, n) => e.band === "bootstrap" || t.average === "smooth" && n > Ya, tc = 1e3, nc = 800;
function lc(e) {
  const { y2: t } = e.curve;
  return { ...Ja(e, nc), ...t?.trim() ? { y2: t } : {} };
}
function sc(e) {
  const t = te(), n = it(), l = k((w) => w.data), r = k((w) => w.curve), o = lc({ data: l, curve: r }), i = JSON.stringify(o), a = Ks(r, Gs(n, r)), c = Za(r, a, e), u = ec(r, a, e.n), [d, f] = _(i), h = N(null), m = N({ started: 0, last: 0, before: 0 }), p = t.known(fn(o)) !== void 0, g = u || Math.min(m.current.last, m.current.before) > tc && !h.current?.heavy, b = h.current !== null && h.current.key !== i && (Object.keys(c).length > 0 || g && d !== i && !p);
  !b && h.current?.key !== i && (h.current = { question: o, key: i, heavy: u });
  const v = h.current, y = A(fn(v.question));
  return P(() => {
    m.current.started = performance.now();
  }, [v.key]), P(() => {
    if (y.busy || y.stale || y.error !== null) return;
    const { started: w, last: S } = m.current;
    m.current = { started: w, last: performance.now() - w, before: S };
  }, [y.busy, y.stale, y.answer]), { found: y, question: v.question, waiting: b && Object.keys(c).length === 0, compute: () => f(i), problem: c };
}
function fn(e) {
  const { y2: t, ...n } = e;
  return n;
}
function rc({ question: e, compact: t }) {
  const n = A(fn(e)), l = A(dn(e)), r = dn(e) === null ? null : l.answer;
  return /* @__PURE__ */ s(I, { of: n, what: "Drawing the curve", children: (o) => /* @__PURE__ */ s(Vs, { answer: o, second: r, question: e, ...t ? { compact: t } : {} }) });
}
const oc = { curve: rc }, ic = 45;
function Qs(e) {
  let t = 0, n = 0;
  return e.forEach(
    (l, r) => l.forEach((o, i) => {
      r === i ? t = Math.max(t, o || 0) : n = Math.max(n, o || 0);
    })
  ), { right: t, wrong: n };
}
function Xs(e, t, n) {
  const l = t ? n.right : Math.max(n.wrong, n.right / 4);
  return l > 0 && e > 0 ? Math.sqrt(e / l) : 0;
}
const ac = (e, t) => e === 0 ? "transparent" : `color-mix(in srgb, var(${t ? "--pl-point" : "--pl-gap"}) ${(6 + (ic - 6) * e).toFixed(1)}%, var(--card))`, Ys = (e) => e.shares ?? e.matrix, cc = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
function uc({ entry: e, shares: t, picked: n, onPick: l }) {
  const [[r, o], i] = _([0, 0]), a = N(null), { classes: c } = e, u = Ys(e), d = Qs(u), f = (m) => {
    const p = cc[m.key];
    if (!p) return;
    m.preventDefault();
    const g = c.length - 1, b = [Math.min(g, Math.max(0, r + p[0])), Math.min(g, Math.max(0, o + p[1]))];
    i(b), a.current?.querySelector(`[data-cell="${b[0]} ${b[1]}"]`)?.focus();
  }, h = t === "none";
  return /* @__PURE__ */ s("div", { class: "matrix-scroll", children: /* @__PURE__ */ s("table", { class: "cells", children: [
    /* @__PURE__ */ s("thead", { children: [
      /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("td", { class: "corner", rowSpan: 2, children: /* @__PURE__ */ s("span", { children: "Actual" }) }),
        /* @__PURE__ */ s("th", { scope: "colgroup", colSpan: c.length, class: "over", children: "Predicted" }),
        h && /* @__PURE__ */ s("td", { rowSpan: 2, class: "sum-head", children: "Sum" })
      ] }),
      /* @__PURE__ */ s("tr", { children: c.map((m) => /* @__PURE__ */ s("th", { scope: "col", children: m }, m)) })
    ] }),
    /* @__PURE__ */ s("tbody", { ref: a, onKeyDown: f, children: [
      c.map((m, p) => /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", children: m }),
        c.map((g, b) => {
          const v = u[p][b], y = e.matrix[p][b], w = p === b, S = n?.actual === m && n.predicted === g, L = h ? /* @__PURE__ */ s(C, { value: v, name: "cell" }) : /* @__PURE__ */ s("data", { value: Number.isNaN(v) ? "" : String(v), children: re(Number.isNaN(v) ? null : v) });
          return /* @__PURE__ */ s("td", { class: w ? "right" : "wrong", style: { background: ac(Xs(v, w, d), w) }, children: l ? /* @__PURE__ */ s(
            "button",
            {
              "data-cell": `${p} ${b}`,
              tabIndex: p === r && b === o ? 0 : -1,
              "aria-pressed": S,
              "aria-label": `Actual ${m}, predicted ${g}: ${O(y)}${h ? "" : `, ${re(Number.isNaN(v) ? null : v)}`}`,
              onFocus: () => i([p, b]),
              onClick: () => l({ model: e.model, actual: m, predicted: g }),
              children: L
            }
          ) : /* @__PURE__ */ s("span", { class: "cell", children: L }) }, g);
        }),
        h && /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(C, { value: mt(e.matrix[p]) }) })
      ] }, m)),
      h && /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", class: "sum", children: "Sum" }),
        c.map((m, p) => /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(C, { value: mt(e.matrix.map((g) => g[p])) }) }, m)),
        /* @__PURE__ */ s("td", { class: "sum", children: /* @__PURE__ */ s(C, { value: mt(e.matrix.map(mt)) }) })
      ] })
    ] })
  ] }) });
}
const mt = (e) => Array.from(e).reduce((t, n) => t + n, 0), dc = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }, Qe = 480;
function hc({ entry: e, shares: t, picked: n, onPick: l }) {
  const [r, o] = _(() => fc(e)), [i, a] = [Math.min(r[0], e.classes.length - 1), Math.min(r[1], e.classes.length - 1)], { classes: c } = e, u = (f, h) => l?.({ model: e.model, actual: c[f], predicted: c[h] }), d = (f) => {
    const h = dc[f.key];
    if (h) {
      const m = (p) => Math.min(c.length - 1, Math.max(0, p));
      o([m(i + h[0]), m(a + h[1])]);
    } else if (f.key === "Enter" || f.key === " ") u(i, a);
    else return;
    f.preventDefault();
  };
  return /* @__PURE__ */ s("div", { class: "heat", children: [
    /* @__PURE__ */ s("div", { class: "heat-map", role: "group", "aria-label": `Heat map of ${c.length} classes; arrow keys move, Enter lists the rows`, tabIndex: 0, onKeyDown: d, children: [
      /* @__PURE__ */ s("span", { class: "heat-axis", children: "Predicted →" }),
      /* @__PURE__ */ s(pc, { entry: e, at: [i, a], picked: n, onAt: (f, h) => o([f, h]), onPick: u }),
      /* @__PURE__ */ s("span", { class: "heat-axis", children: "Actual ↓, top to bottom; blue is right, orange is wrong" })
    ] }),
    /* @__PURE__ */ s("div", { class: "heat-side", children: [
      /* @__PURE__ */ s("p", { class: "heat-told", "aria-live": "polite", children: [
        "Actual ",
        /* @__PURE__ */ s("strong", { children: c[i] }),
        ", predicted ",
        /* @__PURE__ */ s("strong", { children: c[a] }),
        ": ",
        /* @__PURE__ */ s(C, { value: e.matrix[i][a], name: "cell" }),
        t !== "none" && ` (${re(mc(e.shares?.[i][a]))})`
      ] }),
      /* @__PURE__ */ s("div", { class: "controls", children: [
        /* @__PURE__ */ s(M, { label: "Actual class", value: String(i), choices: c.map((f, h) => ({ value: String(h), label: f })), onChange: (f) => o([Number(f), a]) }),
        /* @__PURE__ */ s(M, { label: "Predicted class", value: String(a), choices: c.map((f, h) => ({ value: String(h), label: f })), onChange: (f) => o([i, Number(f)]) }),
        l && /* @__PURE__ */ s("button", { onClick: () => u(i, a), children: "List its rows" })
      ] }),
      /* @__PURE__ */ s(
        j,
        {
          caption: "Most often confused",
          columns: [
            { title: "Actual", value: (f) => f.actual },
            { title: "Predicted", value: (f) => f.predicted },
            { title: "Rows", value: (f) => f.count },
            { title: "Share of the actual class", value: (f) => re(f.share) },
            ...l ? [{ title: "Look at them", value: (f) => /* @__PURE__ */ s("button", { "aria-label": `Rows of ${f.actual} taken for ${f.predicted}`, onClick: () => l({ model: e.model, actual: f.actual, predicted: f.predicted }), children: "Rows" }) }] : []
          ],
          rows: e.confused
        }
      )
    ] })
  ] });
}
function fc({ classes: e, confused: t }) {
  const [n] = t;
  return n ? [e.indexOf(n.actual), e.indexOf(n.predicted)] : [0, 0];
}
const mc = (e) => e === void 0 || Number.isNaN(e) ? null : e;
function pc({ entry: e, at: t, picked: n, onAt: l, onPick: r }) {
  const o = N(null), { classes: i } = e, a = gc(o);
  P(() => bc(o.current, e, t, n), [e, t[0], t[1], n, a]);
  const c = (u) => {
    const d = o.current.getBoundingClientRect(), f = (h, m) => Math.min(i.length - 1, Math.max(0, Math.floor(h / m * i.length)));
    return [f(u.clientY - d.top, d.height), f(u.clientX - d.left, d.width)];
  };
  return /* @__PURE__ */ s(
    "canvas",
    {
      ref: o,
      width: Qe * 2,
      height: Qe * 2,
      onPointerMove: (u) => l(...c(u)),
      onClick: (u) => {
        l(...c(u)), r(...c(u));
      }
    }
  );
}
function gc(e) {
  const [t, n] = _("");
  return P(() => {
    const l = e.current?.closest(".plumbline");
    if (!l) return;
    const r = () => n(l.getAttribute("data-theme") ?? "");
    r();
    const o = new MutationObserver(r);
    return o.observe(l, { attributes: !0, attributeFilter: ["data-theme"] }), () => o.disconnect();
  }, []), t;
}
function bc(e, t, n, l) {
  const r = e.getContext("2d");
  if (!r) return;
  const o = getComputedStyle(e), i = (f) => o.getPropertyValue(f).trim(), a = Ys(t), c = Qs(a), { classes: u } = t, d = Qe * 2 / u.length;
  r.globalAlpha = 1, r.fillStyle = i("--soft"), r.fillRect(0, 0, Qe * 2, Qe * 2), a.forEach(
    (f, h) => f.forEach((m, p) => {
      const g = Xs(m, h === p, c);
      g === 0 && h !== p || (r.globalAlpha = g === 0 ? 0.08 : 0.15 + 0.85 * g, r.fillStyle = i(h === p ? "--pl-point" : "--pl-gap"), r.fillRect(p * d, h * d, Math.max(1, d), Math.max(1, d)));
    })
  ), r.globalAlpha = 1, Rl(r, n[0], n[1], d, i("--ink"), 2), l && Rl(r, u.indexOf(l.actual), u.indexOf(l.predicted), d, i("--accent"), 4);
}
function Rl(e, t, n, l, r, o) {
  e.strokeStyle = r, e.lineWidth = o, e.strokeRect(n * l, t * l, l, l);
}
function vc({ entry: e, compact: t }) {
  const n = e.rates.filter((l) => l.kind === "all");
  return /* @__PURE__ */ s("div", { class: "rates", children: [
    /* @__PURE__ */ s(kc, { rates: e.rates.filter((l) => l.kind !== "all") }),
    /* @__PURE__ */ s(j, { caption: "Of the whole table", columns: wc(Zs(e)), rows: n }),
    !t && /* @__PURE__ */ s(er, { entries: [e] })
  ] });
}
function yc({ entries: e, compact: t }) {
  const [n] = e;
  if (!n) return null;
  const l = Zs(n), r = `Rates; the positive class is ${n.positive}${l ? `; below each its ${l}, and the rows it is a share of` : ""}`, o = (i, a) => i.rates.find((c) => c.name === a);
  return /* @__PURE__ */ s("div", { class: "rates", children: [
    /* @__PURE__ */ s(
      j,
      {
        caption: r,
        columns: [
          { title: "Rate", value: (i) => /* @__PURE__ */ s("span", { title: i.aliases.join(", "), children: i.title }) },
          ...e.map((i) => ({ title: i.model ?? "Value", value: (a) => /* @__PURE__ */ s(_c, { rate: o(i, a.name), interval: l !== null }) }))
        ],
        rows: n.rates
      }
    ),
    !t && /* @__PURE__ */ s(er, { entries: e })
  ] });
}
const Zs = (e) => e.interval && e.level !== null ? `${100 * e.level} % interval` : null;
function _c({ rate: e, interval: t }) {
  return /* @__PURE__ */ s("span", { class: "rate", children: [
    /* @__PURE__ */ s(C, { value: e.value, digits: 3, name: e.name }),
    /* @__PURE__ */ s("small", { children: [
      t && e.low !== null && /* @__PURE__ */ s(x, { children: [
        /* @__PURE__ */ s(Dn, { rate: e }),
        "; "
      ] }),
      "of ",
      /* @__PURE__ */ s(C, { value: e.n })
    ] })
  ] });
}
function wc(e) {
  return [
    { title: "Rate", value: (t) => /* @__PURE__ */ s("span", { title: t.aliases.join(", "), children: t.title }) },
    { title: "Value", value: (t) => /* @__PURE__ */ s(C, { value: t.value, digits: 3, name: t.name }) },
    ...e ? [{ title: e, value: (t) => /* @__PURE__ */ s(Dn, { rate: t }) }] : [],
    { title: "Rows", value: (t) => /* @__PURE__ */ s(C, { value: t.n }) }
  ];
}
function Dn({ rate: e }) {
  return e.low === null || e.high === null ? /* @__PURE__ */ s(x, { children: "–" }) : /* @__PURE__ */ s("span", { class: "span", children: [
    /* @__PURE__ */ s(C, { value: e.low, digits: 3 }),
    " to ",
    /* @__PURE__ */ s(C, { value: e.high, digits: 3 })
  ] });
}
function kc({ rates: e }) {
  const t = [...new Map(e.map((l) => [l.name, l.title]))], n = /* @__PURE__ */ new Map();
  for (const l of e) {
    const r = `${l.kind} ${l.group}`;
    n.set(r, (n.get(r) ?? /* @__PURE__ */ new Map()).set(l.name, l));
  }
  return /* @__PURE__ */ s("div", { class: "rates-scroll", children: /* @__PURE__ */ s(
    j,
    {
      caption: "Every class against the rest",
      columns: [
        { title: "Class", value: ([, l]) => xc([...l.values()][0]) },
        ...t.map(([l, r]) => ({
          title: r,
          value: ([, o]) => {
            const i = o.get(l);
            return i ? /* @__PURE__ */ s(x, { children: [
              /* @__PURE__ */ s(C, { value: i.value, digits: 3, name: l }),
              " ",
              i.low !== null && /* @__PURE__ */ s("small", { children: /* @__PURE__ */ s(Dn, { rate: i }) })
            ] }) : null;
          }
        }))
      ],
      rows: [...n].sort((l, r) => Ll(r) - Ll(l))
    }
  ) });
}
const Ll = ([, e]) => +([...e.values()][0].kind !== "class"), xc = (e) => e.kind === "class" ? e.group : /* @__PURE__ */ s("em", { children: `${e.kind} average` }), Zt = 5;
function er({ entries: e }) {
  const t = e.some((o) => o.interval === "wilson"), l = e.flatMap((o) => o.rates.map((i) => ({ ...i, model: e.length > 1 ? o.model : null }))).filter((o) => o.reason && (o.value === null || !t)), r = [...new Set(l.map((o) => `${o.model === null ? "" : `${o.model}, `}${o.title}${o.kind === "class" ? ` of ${o.group}` : ""}: ${o.reason}`))];
  return /* @__PURE__ */ s(x, { children: [
    t && /* @__PURE__ */ s(T, { children: "Wilson's interval is of shares of rows; the bootstrap gives one of every rate." }),
    r.slice(0, Zt).map((o) => /* @__PURE__ */ s(T, { children: [
      o,
      "."
    ] }, o)),
    r.length > Zt && /* @__PURE__ */ s(T, { children: `… and ${r.length - Zt} more that are missing.` })
  ] });
}
const $c = 24;
function tr({ answer: e, shares: t, picked: n, onPick: l, compact: r = !1 }) {
  const o = e.results.every((i) => i.classes.length === 2);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: o ? "matrices" : "matrices wide", children: e.results.map((i) => /* @__PURE__ */ s(
      Sc,
      {
        entry: i,
        shares: t,
        picked: n && (n.model ?? null) === i.model ? n : null,
        ...l ? { onPick: l } : {},
        rates: !o,
        compact: r
      },
      i.model ?? ""
    )) }),
    o && /* @__PURE__ */ s(yc, { entries: e.results, compact: r })
  ] });
}
function Sc({ entry: e, shares: t, picked: n, onPick: l, rates: r, compact: o }) {
  const i = e.classes.length > $c ? hc : uc;
  return /* @__PURE__ */ s("article", { class: "matrix", "aria-label": e.model ?? "Confusion matrix", children: [
    e.model !== null && /* @__PURE__ */ s("h3", { children: e.model }),
    /* @__PURE__ */ s("p", { class: "decision", children: [
      /* @__PURE__ */ s(C, { value: e.n }),
      " rows, answered by ",
      e.decision
    ] }),
    /* @__PURE__ */ s(i, { entry: e, shares: t, picked: n, ...l ? { onPick: l } : {} }),
    r && /* @__PURE__ */ s(vc, { entry: e, compact: o })
  ] });
}
function Cc({ question: e, compact: t }) {
  const n = A(e);
  return /* @__PURE__ */ s(I, { of: n, what: "Counting", children: (l) => /* @__PURE__ */ s(tr, { answer: l, shares: e.normalize ?? "none", ...t ? { compact: t } : {} }) });
}
const Tc = { confusion: Cc }, at = (e) => e.charAt(0).toUpperCase() + e.slice(1), nr = (e) => `${e[0]} − ${e[1]}`;
function Mc({ answer: e, best: t = {}, compact: n = !1 }) {
  const l = e.metrics.filter((i) => e.results.some((a) => lr(a, i.name))), r = e.results.some((i) => i.model !== null), o = e.results.some((i) => Math.abs(i.effective_n - i.n) > 0.5);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Scores", children: /* @__PURE__ */ s("table", { class: "scores", children: [
      /* @__PURE__ */ s("caption", { children: Ac(e) }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        r && /* @__PURE__ */ s("th", { scope: "col", children: "Model" }),
        /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Rows" }),
        o && /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Effective rows" }),
        l.map((i) => /* @__PURE__ */ s("th", { scope: "col", class: "number", title: i.formula, children: [
          at(i.title),
          /* @__PURE__ */ s("small", { children: i.best })
        ] }, i.name))
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: e.results.map((i) => /* @__PURE__ */ s("tr", { children: [
        r && /* @__PURE__ */ s("th", { scope: "row", children: i.model }),
        /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(C, { value: i.n }) }),
        o && /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(C, { value: i.effective_n }) }),
        l.map((a) => /* @__PURE__ */ s(Nc, { metric: a, line: i, best: i.model !== null && t[a.name] === i.model }, a.name))
      ] }, i.model ?? "")) })
    ] }) }),
    /* @__PURE__ */ s(Ec, { answer: e }),
    !n && e.results.some((i) => i.folds > 1) && /* @__PURE__ */ s(Rc, { answer: e })
  ] });
}
const lr = (e, t) => e.metrics.find((n) => n.metric === t);
function Ac(e) {
  const t = e.results.some((n) => n.roc_auc?.interval_range) ? ` ${100 * e.level} %: the interval of the area under the ROC curve.` : "";
  return e.resamples ? `Of all rows of each model. If true: where the number lies in 95 % of ${e.resamples} draws of the labels from the probabilities.${t}` : `Of all rows of each model.${t}`;
}
function Nc({ metric: e, line: t, best: n }) {
  const l = lr(t, e.name);
  if (!l) return /* @__PURE__ */ s("td", { class: "number", children: "–" });
  const r = e.name === "roc-auc" ? t.roc_auc?.interval_range : null;
  return /* @__PURE__ */ s("td", { class: "number score", children: [
    /* @__PURE__ */ s(C, { value: l.value, name: e.name }),
    n && /* @__PURE__ */ s("span", { class: "best-mark", children: "best" }),
    r && /* @__PURE__ */ s(mn, { span: r, label: `${100 * t.roc_auc.level} %:` }),
    l.null_range && /* @__PURE__ */ s(mn, { span: l.null_range, label: "if true:" }),
    l.null_range && /* @__PURE__ */ s(Oc, { value: l.value, span: l.null_range })
  ] });
}
function mn({ span: e, label: t }) {
  return e[0] === null || e[1] === null ? null : /* @__PURE__ */ s("small", { class: "span", children: [
    t && `${t} `,
    /* @__PURE__ */ s(C, { value: e[0], digits: 3 }),
    " to ",
    /* @__PURE__ */ s(C, { value: e[1], digits: 3 })
  ] });
}
function Oc({ value: e, span: t }) {
  return e === null || t[0] === null || t[1] === null ? null : e > t[1] ? /* @__PURE__ */ s("small", { class: "beyond", children: "▲ above that range" }) : e < t[0] ? /* @__PURE__ */ s("small", { class: "beyond", children: "▼ below that range" }) : null;
}
function Ec({ answer: e }) {
  const t = /* @__PURE__ */ new Map(), n = (l, r) => {
    l && t.set(l, (t.get(l) ?? /* @__PURE__ */ new Set()).add(r));
  };
  for (const l of e.results) {
    const r = l.model === null ? "" : `${l.model}, `;
    for (const o of l.metrics) n(o.reason, o.value === null && !o.view ? Il(e, o.metric) : `${r}${Il(e, o.metric)}`);
    n(l.roc_auc?.reason, "interval of the area under the ROC curve");
  }
  return /* @__PURE__ */ s(x, { children: [...t].map(([l, r]) => /* @__PURE__ */ s(T, { children: `${at([...r].join("; "))}: ${l}.`.replace("..", ".") }, l)) });
}
const Il = (e, t) => e.metrics.find((n) => n.name === t)?.title ?? t, Pc = [
  ["log_loss", "Log loss"],
  ["brier_score", "Brier score"],
  ["accuracy", "Accuracy"]
];
function Rc({ answer: e }) {
  const t = Pc.filter(([n]) => e.results.some((l) => `${n}_fold_mean` in l));
  return t.length ? /* @__PURE__ */ s("details", { class: "over-folds", children: [
    /* @__PURE__ */ s("summary", { children: "Mean over the folds" }),
    /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Mean over the folds", children: /* @__PURE__ */ s("table", { class: "scores", children: [
      /* @__PURE__ */ s("caption", { children: "Mean of the folds' own scores, and their standard deviation; the folds share training rows, so this is no standard error." }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "col", children: "Model" }),
        /* @__PURE__ */ s("th", { scope: "col", class: "number", children: "Folds" }),
        t.map(([n, l]) => /* @__PURE__ */ s("th", { scope: "col", class: "number", children: l }, n))
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: e.results.map((n) => /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("th", { scope: "row", children: n.model ?? "–" }),
        /* @__PURE__ */ s("td", { class: "number", children: /* @__PURE__ */ s(C, { value: n.folds }) }),
        t.map(([l]) => /* @__PURE__ */ s("td", { class: "number", children: [
          /* @__PURE__ */ s(C, { value: n[`${l}_fold_mean`] }),
          " ",
          /* @__PURE__ */ s("small", { children: [
            "± ",
            /* @__PURE__ */ s(C, { value: n[`${l}_fold_deviation`], digits: 3 })
          ] })
        ] }, l))
      ] }, n.model ?? "")) })
    ] }) })
  ] }) : null;
}
function sr({ answer: e, title: t, compact: n = !1 }) {
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("ul", { class: "verdicts", children: e.pairs.map((l) => /* @__PURE__ */ s("li", { class: l.better === null ? "open" : "shown", children: l.verdict }, `${nr(l.models)} ${l.after ?? ""}`)) }),
    /* @__PURE__ */ s(Ic, { answer: e, title: t }),
    /* @__PURE__ */ s(j, { caption: `Differences of the ${t}`, columns: Dc(e), rows: e.pairs }),
    Object.entries(e.ranks).map(([l, r]) => /* @__PURE__ */ s(Fc, { name: l, ranks: r, level: e.level }, l)),
    !n && /* @__PURE__ */ s(Bc, { answer: e })
  ] });
}
const Lc = (e) => nr(e.models) + (e.after ? `, after ${e.after}` : "");
function Ic({ answer: e, title: t }) {
  const n = e.pairs.filter((r) => r.difference !== null);
  if (!n.length) return null;
  const l = (r, o, i) => i.length ? [
    {
      id: r,
      name: r,
      color: o,
      style: "points",
      x: Float64Array.from(i, (a) => n.indexOf(a)),
      y: Float64Array.from(i, (a) => a.difference),
      low: Float64Array.from(i, (a) => a.interval_range[0] ?? NaN),
      high: Float64Array.from(i, (a) => a.interval_range[1] ?? NaN)
    }
  ] : [];
  return /* @__PURE__ */ s(
    Q,
    {
      label: `Differences of the ${t} with ${100 * e.level} % intervals`,
      x: { title: "", names: n.map(Lc) },
      y: { title: `Difference of the ${t}` },
      series: [
        ...l("a difference is shown", 0, n.filter((r) => r.better !== null)),
        ...l("no difference is shown", 1, n.filter((r) => r.better === null))
      ],
      marks: [{ kind: "rule", axis: "y", at: 0, label: "no difference" }],
      height: 300,
      legend: !0,
      table: !1
    }
  );
}
function Dc(e) {
  const t = e.pairs.some((l) => l.after !== null), n = e.pairs.some((l) => l.posterior !== null);
  return [
    { title: "Model", value: (l) => l.models[0] },
    { title: "Other", value: (l) => l.models[1] },
    ...t ? [{ title: "After", value: (l) => l.after ?? "as they are" }] : [],
    { title: "Its value", value: (l) => l.values[0] },
    { title: "The other's", value: (l) => l.values[1] },
    { title: "Difference", name: "difference", value: (l) => l.difference },
    { title: `${100 * e.level} % interval`, value: (l) => l.interval_range[0] === null ? null : /* @__PURE__ */ s(mn, { span: l.interval_range }) },
    { title: "p", name: "p_value", value: (l) => l.p_value },
    ...e.pairs.length > 1 && e.adjust ? [{ title: "Adjusted p", value: (l) => l.adjusted_p_value }] : [],
    ...n ? [{ title: "Probability of practical equality", value: (l) => l.posterior?.practically_equal ?? null }] : [],
    { title: "Better", value: (l) => l.better ?? "not shown" }
  ];
}
function Fc({ name: e, ranks: t, level: n }) {
  const l = t.models.map((o, i) => ({ model: o, rank: t.average_ranks[i] })).sort((o, i) => o.rank - i.rank), r = (t.critical_difference ?? NaN) / 2;
  return /* @__PURE__ */ s("section", { class: "ranks", children: [
    /* @__PURE__ */ s("h3", { children: [
      "Ranks over ",
      t.n,
      " data sets"
    ] }),
    /* @__PURE__ */ s(
      Q,
      {
        label: `Average ranks by ${e}`,
        x: { title: "", names: l.map((o) => o.model) },
        y: { title: "Average rank, 1 is best", zero: !1 },
        series: [
          {
            id: "ranks",
            name: "rank ± half the critical difference",
            color: 0,
            style: "points",
            x: Float64Array.from(l, (o, i) => i),
            y: Float64Array.from(l, (o) => o.rank),
            low: Float64Array.from(l, (o) => o.rank - r),
            high: Float64Array.from(l, (o) => o.rank + r)
          }
        ],
        height: 280,
        legend: !0,
        table: !1
      }
    ),
    /* @__PURE__ */ s(
      j,
      {
        caption: "Average ranks",
        columns: [
          { title: "Model", value: (o) => o.model },
          { title: "Average rank", value: (o) => o.rank }
        ],
        rows: l
      }
    ),
    /* @__PURE__ */ s("p", { children: [
      `Friedman's test of all models: p = ${en(t.p_value)} (${t.method}). `,
      t.critical_difference !== null && `Models whose average ranks are less than ${en(t.critical_difference)} apart are not told apart at the level ${en(1 - n)} (Nemenyi): ${t.groups.map((o) => o.join(", ")).join("; ") || "none"}.`
    ] }),
    t.reason && /* @__PURE__ */ s(T, { children: t.reason })
  ] });
}
const qc = [
  [/\bwith test_share\b/g, "under More settings"],
  [/\bwith groups\b/g, "with Rows belong together by"],
  [/\bwith target\b/g, "as the positive class in the data panel"],
  [/\bover=/g, "data sets by "]
], jc = (e) => at(qc.reduce((t, [n, l]) => t.replace(n, l), e)), en = (e) => e === null ? "–" : String(Number(e.toPrecision(3)));
function Bc({ answer: e }) {
  return /* @__PURE__ */ s("section", { class: "why", children: [
    /* @__PURE__ */ s("h3", { children: "The test, and why this one" }),
    /* @__PURE__ */ s("p", { children: e.why }),
    e.tests.filter((t) => t.answer !== "fits").map((t) => /* @__PURE__ */ s("p", { class: "warned", children: `${t.title} is too optimistic here: ${t.why}` }, t.name)),
    e.remarks.length > 0 && /* @__PURE__ */ s("ul", { class: "hints", children: e.remarks.map((t) => /* @__PURE__ */ s("li", { children: jc(t) }, t)) })
  ] });
}
function rr({ question: e, best: t, compact: n }) {
  const l = A({ ...e, resamples: 0 }), r = A(e.resamples ? e : null), o = e.resamples && r.answer && !r.stale && !r.error ? r : l;
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(I, { of: o, what: "Scoring the models", children: (i) => /* @__PURE__ */ s(Mc, { answer: i, ...t ? { best: t } : {}, ...n ? { compact: n } : {} }) }),
    e.resamples !== 0 && l.answer && /* @__PURE__ */ s(I, { of: r, what: "Drawing labels from the probabilities", children: () => null })
  ] });
}
function Wc({ question: e, compact: t }) {
  const n = A(e), l = A({ kind: "comparable", data: e.data, ...e.over ? { over: e.over } : {} }), r = (o) => l.answer?.metrics.find((i) => i.name === o.pairs[0]?.metric)?.title ?? o.pairs[0]?.metric ?? "values";
  return /* @__PURE__ */ s(I, { of: n, what: "Comparing the models", children: (o) => /* @__PURE__ */ s(sr, { answer: o, title: r(o), ...t ? { compact: t } : {} }) });
}
const Hc = { scores: rr, compare: Wc }, ke = (e) => e === "inf" ? 1 / 0 : e === "-inf" ? -1 / 0 : e ?? null, pn = (e) => e === 1 / 0 ? "inf" : e === -1 / 0 ? "-inf" : e, zc = (e, t) => ({ data: ne(e), curve: t.settings }), Uc = (e, t) => ({ kind: "reading", ...e, threshold: pn(t) });
function Fn(e, t) {
  return t.optimum === null ? null : { kind: "optimum", ...e, goal: t.optimum, y: t.measure, subject_to: t.subject_to.trim() || null };
}
const or = (e, t) => t.iso_cost === null ? null : { kind: "iso-cost", ...e, ...t.iso_cost };
function Vc(e, t) {
  const n = ot(t.between, "number");
  return n === null ? null : { kind: "cases", ...e, low: pn(n[0]), high: pn(n[1]), model: t.cases_of };
}
function Gc(e, t) {
  const n = ot(t.difference, "string");
  return n === null ? null : { kind: "difference", ...e, models: n };
}
const Jc = (e, t) => t.subgroups === null ? null : { kind: "subgroups", ...e, by: t.subgroups };
function Se(e) {
  return zc(k((t) => t.data), e);
}
const Kc = 0.05;
function Qc({ answer: e, about: t }) {
  const n = $(), l = k((u) => u.reading), r = k((u) => u.data.models) ?? t.models, o = Vc(Se(e), l), i = A(o, { delay: 80 }), a = ot(l.between, "number"), c = (u, d) => {
    u !== null && d !== null && n.edit("reading", { between: u <= d ? [u, d] : [d, u] });
  };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(z, { label: "From", value: a?.[0] ?? null, onChange: (u) => c(u, a?.[1] ?? null) }),
      /* @__PURE__ */ s(z, { label: "to below", value: a?.[1] ?? null, onChange: (u) => c(a?.[0] ?? null, u) }),
      r.length > 1 && /* @__PURE__ */ s(M, { label: "Cases of", value: l.cases_of ?? r[0], choices: r.map((u) => ({ value: u, label: u })), onChange: (u) => n.edit("reading", { cases_of: u }) }),
      o && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(de, { question: o, title: "Cases between two thresholds" }),
        /* @__PURE__ */ s(ue, { question: o, name: "cases" })
      ] })
    ] }),
    /* @__PURE__ */ s(I, { of: i, what: "Looking for the cases", children: (u) => /* @__PURE__ */ s(ir, { cases: u }) })
  ] });
}
function ir({ cases: e, compact: t = !1 }) {
  const { reason: n } = e;
  if (!e.n) return /* @__PURE__ */ s("p", { class: "empty", children: n ? `${n[0].toUpperCase()}${n.slice(1)}.` : "No rows." });
  const l = [e.low, e.high].map((r) => O(ke(r)));
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("p", { children: [
      /* @__PURE__ */ s("strong", { children: [
        /* @__PURE__ */ s(C, { value: e.n, name: "cases" }),
        " ",
        e.n === 1 ? "row" : "rows"
      ] }),
      e.model === null ? "" : ` of ${e.model}`,
      " with ",
      e.sort_by,
      " from ",
      l[0],
      " to below ",
      l[1],
      "."
    ] }),
    /* @__PURE__ */ s(Xc, { cases: e }),
    !t && e.differing.length > 0 && /* @__PURE__ */ s(Yc, { differing: e.differing }),
    !t && /* @__PURE__ */ s(Zc, { cases: e })
  ] });
}
function Xc({ cases: e }) {
  const t = Object.keys(e.inside).filter((n) => e.inside[n] + e.outside[n] > 0);
  return /* @__PURE__ */ s(
    j,
    {
      caption: "Rows by their true class",
      rows: t,
      columns: [
        { title: "Class", value: (n) => n },
        { title: "Between", value: (n) => e.inside[n] },
        { title: "Elsewhere", value: (n) => e.outside[n] }
      ]
    }
  );
}
function Yc({ differing: e }) {
  const t = (n, l) => l === null ? null : n.kind === "category" ? re(l) : l;
  return /* @__PURE__ */ s(
    j,
    {
      caption: "What is different about them",
      rows: e,
      columns: [
        { title: "Attribute", value: (n) => n.kind === "category" && n.value !== null ? `${n.attribute} = ${n.value}` : n.attribute },
        { title: "Between", value: (n) => t(n, n.inside) },
        { title: "Elsewhere", value: (n) => t(n, n.outside) },
        { title: "Effect", value: (n) => n.effect },
        { title: "Adjusted p", value: (n) => n.p_adjusted === null ? n.reason : n.p_adjusted < Kc ? /* @__PURE__ */ s("strong", { children: /* @__PURE__ */ s(C, { value: n.p_adjusted, digits: 2 }) }) : /* @__PURE__ */ s(C, { value: n.p_adjusted, digits: 2 }) }
      ]
    }
  );
}
function Zc({ cases: e }) {
  const [t, n] = _(""), l = async () => {
    const r = [e.columns, ...e.cases.map((o) => e.columns.map((i) => o[i]))];
    try {
      await navigator.clipboard.writeText(r.map((o) => o.map((i) => String(i ?? "").replace(/[\t\n\r]+/g, " ")).join("	")).join(`
`)), n(`Copied ${E(e.listed, "row")}.`);
    } catch {
      n("The browser does not allow copying here; export them as CSV instead.");
    }
  };
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(
      j,
      {
        caption: e.listed < e.n ? `The first ${O(e.listed)} of ${E(e.n, "row")}, the highest first` : `All ${E(e.n, "row")}, the highest first`,
        rows: e.cases,
        columns: e.columns.map((r) => ({
          title: r,
          value: (o) => {
            const i = o[r] ?? null;
            return typeof i == "boolean" ? String(i) : i;
          }
        }))
      }
    ),
    /* @__PURE__ */ s("div", { class: "tools", children: [
      /* @__PURE__ */ s("button", { onClick: () => void l(), children: "Copy the rows" }),
      /* @__PURE__ */ s("span", { class: "hint", role: "status", children: t })
    ] })
  ] });
}
const qn = ({ color: e }) => /* @__PURE__ */ s("span", { class: "swatch", "aria-hidden": "true", style: { background: `var(--pl-line${e % 8 + 1})` } });
function Bt(e) {
  const t = e.map((l) => JSON.stringify([l.model, l.target])), n = [...new Set(t)];
  return t.map((l) => n.indexOf(l));
}
function gn(e, t) {
  return [e.model, e.fold === null ? null : `fold ${e.fold}`, t || e.model === null ? e.target : null].filter((l) => l !== null).join(", ") || "all rows";
}
const ar = (e) => new Set(e.map((t) => t.target)).size > 1, Dl = 3;
function cr({ reading: e, compact: t = !1 }) {
  const [n, l] = _(0), r = ar(e.lines), o = Bt(e.lines), i = e.lines.map((c, u) => ({ line: c, name: gn(c, r), color: o[u] })), a = i.length > Dl ? i.slice(Math.min(n, i.length - 1)).slice(0, 1) : i;
  return /* @__PURE__ */ s(x, { children: [
    e.reason && /* @__PURE__ */ s(T, { children: [
      "No counts: ",
      e.reason,
      "."
    ] }),
    i.length > Dl && /* @__PURE__ */ s(M, { label: "Line", value: String(n), choices: i.map((c, u) => ({ value: String(u), label: c.name })), onChange: (c) => l(Number(c)) }),
    a.map((c) => /* @__PURE__ */ s(eu, { ...c, alone: i.length === 1, compact: t }, c.name))
  ] });
}
function eu({ line: e, name: t, color: n, alone: l, compact: r }) {
  if (e.TP === null || !e.classes) return null;
  const { positive: o, negative: i } = e.classes;
  return /* @__PURE__ */ s("div", { class: "four", children: [
    !l && /* @__PURE__ */ s("h4", { class: "named", children: [
      /* @__PURE__ */ s(qn, { color: n }),
      t
    ] }),
    /* @__PURE__ */ s("p", { class: "sentence", children: e.sentence }),
    /* @__PURE__ */ s("table", { class: "counts", children: [
      /* @__PURE__ */ s("caption", { class: "visually-hidden", children: [
        "Counts of ",
        t
      ] }),
      /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
        /* @__PURE__ */ s("td", {}),
        /* @__PURE__ */ s("th", { scope: "col", children: "accepted" }),
        /* @__PURE__ */ s("th", { scope: "col", children: "not accepted" })
      ] }) }),
      /* @__PURE__ */ s("tbody", { children: [
        /* @__PURE__ */ s("tr", { children: [
          /* @__PURE__ */ s("th", { scope: "row", children: o }),
          /* @__PURE__ */ s(pt, { name: "TP", value: e.TP, right: !0 }),
          /* @__PURE__ */ s(pt, { name: "FN", value: e.FN })
        ] }),
        /* @__PURE__ */ s("tr", { children: [
          /* @__PURE__ */ s("th", { scope: "row", children: i }),
          /* @__PURE__ */ s(pt, { name: "FP", value: e.FP }),
          /* @__PURE__ */ s(pt, { name: "TN", value: e.TN, right: !0 })
        ] })
      ] })
    ] }),
    /* @__PURE__ */ s("p", { class: "hint thirds", children: [
      /* @__PURE__ */ s("span", { children: [
        "Examined: ",
        re(e.accepted_share),
        " of all"
      ] }),
      /* @__PURE__ */ s("span", { children: [
        "Missed: ",
        O(e.FN),
        " ",
        o,
        " (",
        re(e.P ? e.FN / e.P : null),
        ")"
      ] })
    ] }),
    !r && /* @__PURE__ */ s(tu, { line: e, name: t, open: l })
  ] });
}
const pt = ({ name: e, value: t, right: n = !1 }) => /* @__PURE__ */ s("td", { class: n ? "number right" : "number", children: [
  /* @__PURE__ */ s(C, { value: t, name: e }),
  " ",
  /* @__PURE__ */ s("small", { children: e })
] });
function tu({ line: e, name: t, open: n }) {
  return e.rates.length ? /* @__PURE__ */ s("details", { open: n, children: [
    /* @__PURE__ */ s("summary", { children: [
      "Rates",
      n ? "" : /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
        " of ",
        t
      ] })
    ] }),
    /* @__PURE__ */ s(
      j,
      {
        caption: "With 95 % intervals, of each by itself",
        rows: e.rates,
        columns: [
          { title: "Rate", value: (l) => /* @__PURE__ */ s("span", { title: l.title, children: l.title.split(" (")[0] }) },
          { title: "Value", value: (l) => /* @__PURE__ */ s(nu, { rate: l }) }
        ]
      }
    )
  ] }) : null;
}
function nu({ rate: e }) {
  return /* @__PURE__ */ s("span", { class: "rate", title: e.reason ?? void 0, children: [
    /* @__PURE__ */ s(C, { value: e.value, name: e.name }),
    e.low !== null && e.high !== null && /* @__PURE__ */ s("small", { children: [
      O(e.low, 3),
      " to ",
      O(e.high, 3)
    ] }),
    e.value === null && e.reason && /* @__PURE__ */ s("small", { children: e.reason })
  ] });
}
function lu({ answer: e, about: t }) {
  const n = $(), l = k((d) => d.reading), r = ot(l.difference, "string") ?? [t.models[0], t.models[1]], o = r[0] === r[1], i = Se(e), a = o ? null : Gc(i, l), c = A(a), u = t.models.map((d) => ({ value: d, label: d }));
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(M, { label: "Curve of", value: r[1], choices: u, onChange: (d) => n.edit("reading", { difference: [r[0], d] }) }),
      /* @__PURE__ */ s(M, { label: "minus that of", value: r[0], choices: u, onChange: (d) => n.edit("reading", { difference: [d, r[1]] }) }),
      a && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(de, { question: a, title: `${e.title}: ${r[1]} minus ${r[0]}` }),
        /* @__PURE__ */ s(ue, { question: a, name: `${r[1]} minus ${r[0]}` })
      ] })
    ] }),
    o ? /* @__PURE__ */ s(T, { children: "Choose two different models." }) : /* @__PURE__ */ s(I, { of: c, what: "Comparing the two curves", children: (d) => /* @__PURE__ */ s(ur, { difference: d }) })
  ] });
}
function ur({ difference: e, compact: t = !1 }) {
  const [n, l] = e.models, r = `${e.title}: ${l} minus ${n}`, o = { kind: "rule", axis: "y", at: 0 }, i = e.higher.map((a) => ({ kind: "region", axis: "x", from: a.low, to: a.high, label: `${a.model} higher` }));
  return /* @__PURE__ */ s("figure", { children: [
    /* @__PURE__ */ s("p", { class: "verdict", children: e.verdict }),
    /* @__PURE__ */ s(
      Q,
      {
        label: r,
        series: [{ id: "difference", name: `${l} minus ${n}`, color: 0, x: e.x, y: e.difference, low: e.low, high: e.high, style: "line" }],
        x: { title: e.x_title },
        y: { title: `difference of ${e.y_title}` },
        marks: [o, ...i],
        legend: !1,
        ...t ? { table: !1, height: 220 } : { height: 300 }
      }
    ),
    /* @__PURE__ */ s(T, { children: [
      E(e.n, "example"),
      "; the band holds at all places at once."
    ] })
  ] });
}
function su({ answer: e }) {
  const t = $(), n = k((i) => i.reading), l = A(or(Se(e), n), { delay: 80 }), r = n.iso_cost ?? { fp: 1, fn: 1 }, o = (i) => t.edit("reading", { iso_cost: { ...r, ...i } }, "iso_cost");
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(z, { label: "A false positive costs", value: r.fp, min: 0, onChange: (i) => o({ fp: i ?? 0 }) }),
      /* @__PURE__ */ s(z, { label: "A false negative costs", value: r.fn, min: 0, onChange: (i) => o({ fn: i ?? 0 }) })
    ] }),
    /* @__PURE__ */ s(I, { of: l, what: "Adding up the costs", children: (i) => /* @__PURE__ */ s(dr, { lines: i.lines }) })
  ] });
}
function dr({ lines: e }) {
  const t = xe(), n = ar(e);
  return /* @__PURE__ */ s(
    j,
    {
      caption: "The cheapest point of every line",
      rows: e,
      columns: [
        { title: "Line", value: (l) => gn(l, n) },
        { title: "Cost per row", value: (l) => l.cost ?? l.reason },
        {
          title: "Threshold",
          value: (l) => {
            const r = ke(l.threshold);
            return r === null ? null : /* @__PURE__ */ s("button", { class: "link", onClick: () => t.move(r, !0), children: [
              Number.isFinite(r) ? r.toPrecision(4) : "∞",
              /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
                " as the threshold, the cheapest of ",
                gn(l, n)
              ] })
            ] });
          }
        }
      ]
    }
  );
}
const hr = 40, Fl = /[\p{L}\p{N}_]/u, ql = /* @__PURE__ */ new Set(["where", "sort_by"]), ru = {
  attribute: "column",
  row: "of the row",
  count: "count",
  rate: "rate",
  threshold: "threshold",
  constant: "constant"
};
function jn(e, t) {
  const n = ou(e, t);
  if (n !== null) {
    const o = e.indexOf(e[n], t);
    return { from: n, to: o < 0 ? e.length : o + 1, quote: e[n] };
  }
  let l = t;
  for (; l > 0 && Fl.test(e[l - 1]); ) l -= 1;
  let r = t;
  for (; r < e.length && Fl.test(e[r]); ) r += 1;
  if (l === r && l > 0 && e[l - 1] === "`") {
    const o = e.lastIndexOf("`", l - 2);
    if (o >= 0) return { from: o, to: l, quote: null };
  }
  return { from: l, to: r, quote: null };
}
function ou(e, t) {
  let n = null;
  for (let l = 0; l < t; l += 1) {
    const r = e[l];
    (n === null ? "'\"`".includes(r) : r === e[n]) && (n = n === null ? l : null);
  }
  return n;
}
function iu(e, t) {
  const n = /(`[^`]+`|[\p{L}_][\p{L}\p{N}_]*)\s*(?:==|!=|(?:not\s+)?in\s*[([](?:[^()[\]]*,)?)\s*$/u.exec(t), l = n && fr(e, n[1]);
  return l && l.kind === "category" ? l : null;
}
const fr = (e, t) => e.variables.find((n) => n.name === t || n.name === `\`${t}\``), mr = (e, t) => e.functions.find((n) => n.name === t);
function jl(e, t, n, l, r = !1) {
  const { from: o, to: i, quote: a } = jn(t, n), c = t.slice(o, n), u = iu(e, t.slice(0, o));
  if (a === "'" || a === '"')
    return { from: o, to: i, word: c, items: u ? Bl(u, c.slice(1)) : [] };
  if (/^\p{N}/u.test(c)) return { from: o, to: i, word: c, items: [] };
  const d = u ? Bl(u, c) : [];
  if (!c && !r) return { from: o, to: i, word: c, items: d };
  const f = au(e, c, l, t.slice(i));
  return { from: o, to: i, word: c, items: [...d, ...f].slice(0, hr) };
}
function Bl(e, t) {
  return pr(e.categories, t, (n) => n).map((n) => {
    const l = gr(n);
    return { insert: l, caret: l.length, label: l, note: `value of ${e.name}` };
  });
}
function au(e, t, n, l) {
  const r = e.variables.filter((a) => !ql.has(n) || a.level !== "state"), o = e.functions.filter((a) => !ql.has(n) || a.level !== "state"), i = [
    ...r.map((a) => ({ name: a.name, make: () => cu(a) })),
    ...o.map((a) => ({ name: a.name, make: () => uu(a, l) }))
  ];
  return pr(i, t.replaceAll("`", ""), (a) => a.name.replaceAll("`", "")).slice(0, hr).map((a) => a.make());
}
const cu = (e) => ({
  insert: e.name,
  caret: e.name.length,
  label: e.name,
  note: ru[e.group],
  variable: e
});
function uu(e, t) {
  return { insert: t.trimStart().startsWith("(") ? e.name : `${e.name}()`, caret: e.name.length + 1, label: e.signature, note: "function", help: e };
}
function pr(e, t, n) {
  if (!t) return [...e];
  const l = t.toLowerCase(), r = (o) => {
    if (o === t) return 0;
    if (o.startsWith(t)) return 1;
    const i = o.toLowerCase();
    return i.startsWith(l) ? 2 : i.split(/[_\s]/).some((a) => a.startsWith(l)) ? 3 : i.includes(l) && l.length > 1 ? 4 : 5;
  };
  return e.map((o) => ({ one: o, fits: r(n(o)), length: n(o).length })).filter(({ fits: o }) => o < 5).sort((o, i) => o.fits - i.fits || o.length - i.length).map(({ one: o }) => o);
}
const gr = (e) => {
  const t = e.includes("'") && !e.includes('"') ? '"' : "'";
  return t + e.replaceAll("\\", "\\\\").replaceAll(t, `\\${t}`) + t;
};
function du(e, t, n) {
  const { from: l, to: r, quote: o } = jn(t, n);
  if (o !== "'" && o !== '"') {
    const i = t.slice(l, r), c = (t.slice(r).trimStart().startsWith("(") ? mr(e, i) : void 0) ?? fr(e, i);
    if (c) return c;
  }
  return hu(e, t.slice(0, l));
}
function hu(e, t) {
  let n = 0;
  for (let l = t.length - 1; l >= 0; l -= 1)
    if (t[l] === ")") n += 1;
    else if (t[l] === "(" && n > 0) n -= 1;
    else if (t[l] === "(") {
      const { from: r } = jn(t, l), o = mr(e, t.slice(r, l));
      if (o) return o;
    }
  return null;
}
const Wl = (e, t) => [...e].slice(0, t).join("").length, fu = {
  set: "one value for all rows",
  row: "a value in every row",
  state: "a value at every threshold"
};
function mu({ help: e }) {
  const t = e.level === null ? "" : `; ${fu[e.level]}`;
  return "signature" in e ? /* @__PURE__ */ s("p", { class: "name-help", children: [
    /* @__PURE__ */ s("code", { children: e.signature }),
    " ",
    e.meaning,
    t
  ] }) : /* @__PURE__ */ s("p", { class: "name-help", children: [
    /* @__PURE__ */ s("code", { children: e.name }),
    " ",
    e.attribute ? pu(e) : e.meaning,
    e.formula !== null && /* @__PURE__ */ s(x, { children: [
      ", ",
      /* @__PURE__ */ s("code", { children: e.formula })
    ] }),
    t
  ] });
}
function pu(e) {
  if (e.kind !== "category") return e.kind === "truth" ? "column of yes and no" : "column of numbers";
  const t = e.categories.slice(0, 4).join(", ");
  return `column with ${e.categories.length === 1 ? "the value" : "the values"} ${t}${e.categories.length > 4 ? ", …" : ""}`;
}
const gu = [
  ["attribute", "Columns of the table"],
  ["row", "Of every row"],
  ["count", "Counts"],
  ["rate", "Rates"],
  ["threshold", "Threshold and target"]
];
function bu({ vocabulary: e, part: t, of: n, onInsert: l }) {
  const r = t === "where" || t === "sort_by", o = e.variables.filter((a) => !r || a.level !== "state"), i = o.filter((a) => a.categories.length > 0 && a.name !== "trueClass");
  return /* @__PURE__ */ s("div", { class: "inserts", children: [
    /* @__PURE__ */ s(Hl, { label: "Insert variable", of: n, onInsert: l, groups: gu.map(([a, c]) => ({ title: c, options: o.filter((u) => u.group === a).map((u) => ({ text: u.name, label: u.title === u.name ? u.name : `${u.name}: ${u.title}` })) })) }),
    /* @__PURE__ */ s(Hl, { label: "Insert value", of: n, onInsert: l, groups: i.map((a) => ({ title: a.name, options: a.categories.map((c) => ({ text: gr(c), label: c })) })) })
  ] });
}
function Hl({ label: e, of: t, groups: n, onInsert: l }) {
  const r = U(), o = n.filter((i) => i.options.length > 0);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("label", { class: "visually-hidden", for: r, children: `${e} into ${t}` }),
    /* @__PURE__ */ s(
      "select",
      {
        id: r,
        value: "",
        disabled: o.length === 0,
        onChange: (i) => {
          const a = i.currentTarget.value;
          i.currentTarget.value = "", a && l(a);
        },
        children: [
          /* @__PURE__ */ s("option", { value: "", children: e }),
          o.map((i) => /* @__PURE__ */ s("optgroup", { label: i.title, children: i.options.map((a) => /* @__PURE__ */ s("option", { value: a.text, children: a.label }, a.text)) }, i.title))
        ]
      }
    )
  ] });
}
function vu({ id: e, label: t, items: n, active: l, onPick: r }) {
  const o = N(null);
  return P(() => {
    o.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [l]), /* @__PURE__ */ s("ul", { id: e, role: "listbox", "aria-label": t, class: "suggestions", hidden: n.length === 0, ref: o, children: n.map((i, a) => /* @__PURE__ */ s(
    "li",
    {
      id: `${e}-${a}`,
      role: "option",
      "aria-selected": a === l,
      onMouseDown: (c) => {
        c.preventDefault(), r(i);
      },
      children: [
        /* @__PURE__ */ s("code", { children: i.label }),
        /* @__PURE__ */ s("small", { children: i.note })
      ]
    },
    i.label
  )) });
}
const yu = 300, _u = 150;
function je({ label: e, part: t, value: n, onChange: l, placeholder: r, hint: o }) {
  const i = U(), a = it(), [c, u] = _(n), [d, f] = _(null), [h, m] = _(null), p = N(null), g = N(null), b = N(n), v = ku(t, c);
  P(() => {
    n !== b.current && (b.current = n, u(n));
  }, [n]);
  const y = (R) => {
    R !== b.current && (b.current = R, l(R));
  };
  P(() => {
    v !== null && v.error === null && v.text === c && y(c);
  }, [v, c]);
  const w = Y(
    () => h === null || d === null ? null : jl(a, c, d, t, h.all),
    [h, d, c, a, t]
  ), S = w && w.items.length > 0 ? w : null, L = S && h ? Math.min(h.active, S.items.length - 1) : -1, F = (R, G) => {
    u(R), f(G), m(null), requestAnimationFrame(() => {
      p.current?.focus(), p.current?.setSelectionRange(G, G);
    });
  }, W = (R) => {
    S && F(c.slice(0, S.from) + R.insert + c.slice(S.to), S.from + R.caret);
  }, V = (R) => {
    const G = p.current?.selectionStart ?? c.length, ut = p.current?.selectionEnd ?? c.length;
    F(c.slice(0, G) + R + c.slice(ut), G + R.length);
  }, Ce = (R) => {
    const G = R.currentTarget.value.replace(/[\r\n]+/g, " "), ut = R.currentTarget.selectionStart;
    u(G), f(ut), m({ all: !1, active: wu(jl(a, G, ut, t)) });
  }, H = (R) => {
    if (!S || !h) return;
    const G = S.items.length;
    m({ ...h, active: L < 0 ? R > 0 ? 0 : G - 1 : (L + R + G) % G });
  }, ae = (R) => {
    const G = R.ctrlKey || R.metaKey;
    if (R.key === " " && G) m({ all: !0, active: 0 });
    else if (R.key === "ArrowDown" && S) H(1);
    else if (R.key === "ArrowUp" && S) H(-1);
    else if (R.key === "Escape" && S) m(null);
    else if ((R.key === "Enter" || R.key === "Tab") && S && L >= 0) W(S.items[L]);
    else if (R.key === "Enter")
      m(null), (!v || v.text !== c || v.error === null) && y(c);
    else return;
    R.preventDefault(), R.stopPropagation();
  }, Ht = () => {
    const R = p.current?.selectionStart ?? null;
    R !== d && (f(R), m(null));
  }, zt = N(), Wr = (R) => {
    g.current?.contains(R.relatedTarget) || (m(null), zt.current = setTimeout(() => f(null), yu));
  };
  P(() => () => clearTimeout(zt.current), []);
  const Hr = !c.trim() && r !== void 0, ct = v !== null && v.text === c && !Hr ? v.error : null, Te = ct && { ...ct, start: Wl(c, ct.start), end: Wl(c, ct.end) }, Gn = d === null ? null : S && L >= 0 ? S.items[L].variable ?? S.items[L].help ?? null : du(a, c, d), Ut = `${i}-list`;
  return /* @__PURE__ */ s("div", { class: "field formula", ref: g, onFocusIn: () => clearTimeout(zt.current), onFocusOut: Wr, children: [
    /* @__PURE__ */ s("label", { for: i, children: e }),
    /* @__PURE__ */ s("div", { class: Te ? "formula-box wrong" : "formula-box", children: [
      /* @__PURE__ */ s("div", { class: "formula-shadow", "aria-hidden": "true", children: /* @__PURE__ */ s(xu, { text: c || r || "", start: Te?.start, end: Te?.end }) }),
      /* @__PURE__ */ s(
        "textarea",
        {
          id: i,
          ref: p,
          rows: 1,
          role: "combobox",
          "aria-autocomplete": "list",
          "aria-expanded": S !== null,
          "aria-controls": Ut,
          "aria-activedescendant": L >= 0 ? `${Ut}-${L}` : void 0,
          "aria-invalid": Te ? !0 : void 0,
          "aria-describedby": `${i}-said`,
          spellcheck: !1,
          autocapitalize: "off",
          autocomplete: "off",
          value: c,
          placeholder: r,
          onInput: Ce,
          onKeyDown: ae,
          onKeyUp: Ht,
          onClick: Ht,
          onFocus: Ht
        }
      ),
      /* @__PURE__ */ s(vu, { id: Ut, label: `Names for ${e}`, items: S?.items ?? [], active: L, onPick: W })
    ] }),
    /* @__PURE__ */ s("div", { class: "formula-said", id: `${i}-said`, "aria-live": "polite", children: Te ? /* @__PURE__ */ s($u, { text: c, ...Te }) : o && /* @__PURE__ */ s("small", { children: o }) }),
    d !== null && Gn && !Te && /* @__PURE__ */ s(mu, { help: Gn }),
    d !== null && /* @__PURE__ */ s(bu, { vocabulary: a, part: t, of: e, onInsert: V })
  ] });
}
function wu(e) {
  const t = e.word;
  return e.items.some((n) => n.insert === t || n.insert === `${t}()`) ? -1 : 0;
}
function ku(e, t) {
  const { preset: n, x: l, sort_by: r, direction: o, merge: i, average: a } = k((d) => d.curve), u = A({ kind: "lint", part: e, text: t, curve: { preset: n, x: l, sort_by: r, direction: o, merge: i, average: a } }, { delay: _u });
  return u.stale ? null : u.answer;
}
function xu({ text: e, start: t, end: n }) {
  if (t === void 0 || n === void 0) return /* @__PURE__ */ s(x, { children: [
    e,
    "​"
  ] });
  const l = Math.max(n, t + 1);
  return /* @__PURE__ */ s(x, { children: [
    e.slice(0, t),
    /* @__PURE__ */ s("u", { children: e.slice(t, l) || " " }),
    e.slice(l),
    "​"
  ] });
}
const tn = 29;
function $u({ text: e, message: t, start: n, end: l }) {
  const r = Math.max(0, Math.min(n - 10, e.length - tn)), o = e.slice(r, r + tn), i = Math.max(1, Math.min(l, r + tn) - n);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("p", { class: "formula-wrong", children: t }),
    /* @__PURE__ */ s("pre", { "aria-hidden": "true", children: `${o}
${" ".repeat(n - r)}${"^".repeat(i)}` })
  ] });
}
const Su = [
  { value: "CA", label: "Classification accuracy" },
  { value: "F1", label: "F1" },
  { value: "informedness", label: "Informedness (Youden's J)" },
  { value: "balanced_accuracy", label: "Balanced accuracy" },
  { value: "MCC", label: "Matthews correlation" }
];
function Cu({ answer: e }) {
  const t = $(), n = k((i) => i.reading), l = Fn(Se(e), n), r = A(l), o = String(e.settings.y);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(
        M,
        {
          label: "Look for the",
          value: n.optimum ?? "max",
          choices: [
            { value: "max", label: "highest" },
            { value: "min", label: "lowest" }
          ],
          onChange: (i) => t.edit("reading", { optimum: i === "min" ? "min" : "max" })
        }
      ),
      /* @__PURE__ */ s(
        M,
        {
          label: "value of",
          value: n.measure ?? "",
          choices: [{ value: "", label: `y of the curve (${e.y_title})` }, ...Su],
          onChange: (i) => t.edit("reading", { measure: i || null })
        }
      )
    ] }),
    /* @__PURE__ */ s(je, { label: "Only where", part: "subject_to", value: n.subject_to, placeholder: "recall >= 0.85", onChange: (i) => t.edit("reading", { subject_to: i }, "subject_to") }),
    l && /* @__PURE__ */ s("span", { class: "tools", children: /* @__PURE__ */ s(de, { question: l, title: `Best threshold of ${n.measure ?? o}` }) }),
    /* @__PURE__ */ s(I, { of: r, what: "Looking for the best threshold", children: (i) => /* @__PURE__ */ s(br, { answer: i }) })
  ] });
}
function br({ answer: e, compact: t = !1 }) {
  return /* @__PURE__ */ s("div", { class: "stack", children: e.results.map((n) => /* @__PURE__ */ s(Tu, { best: n, compact: t }, n.model ?? "")) });
}
function Tu({ best: e, compact: t }) {
  const n = xe(), l = ke(e.point.threshold);
  return /* @__PURE__ */ s("div", { class: "best", children: [
    e.model !== null && /* @__PURE__ */ s("h4", { children: e.model }),
    /* @__PURE__ */ s("p", { class: "verdict", children: e.verdict }),
    l !== null && /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s(He, { title: "Best threshold", name: "threshold", value: l }),
      /* @__PURE__ */ s(He, { title: "Value there", name: "value", value: e.value }),
      e.gain !== null && /* @__PURE__ */ s(He, { title: "Gain over 0.5", name: "gain", value: e.gain }),
      /* @__PURE__ */ s(He, { title: "Honest value", name: "honest_value", value: e.honest_value }),
      /* @__PURE__ */ s(He, { title: "Optimism", name: "optimism", value: e.optimism })
    ] }),
    l !== null && !t && /* @__PURE__ */ s("button", { onClick: () => n.move(l, !0), children: [
      "Take this threshold",
      e.model === null ? "" : /* @__PURE__ */ s("span", { class: "visually-hidden", children: [
        " of ",
        e.model
      ] })
    ] }),
    e.notes.length > 0 && !t && /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "What to know" }),
      /* @__PURE__ */ s("ul", { class: "hints", children: e.notes.map((r) => /* @__PURE__ */ s("li", { children: r }, r)) })
    ] })
  ] });
}
function He({ title: e, name: t, value: n }) {
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("dt", { children: e }),
    /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: n, name: t }) })
  ] });
}
function vr(e) {
  const t = xe(), [n, l] = _(t.threshold);
  return P(() => {
    let r;
    const o = () => {
      clearTimeout(r), r = setTimeout(() => l(t.threshold), e);
    };
    o();
    const i = t.subscribe(o);
    return () => {
      clearTimeout(r), i();
    };
  }, [t, e]), n;
}
const Mu = 80;
function Au({ answer: e, about: t }) {
  const n = $(), l = k((a) => a.reading), r = Jc(Se(e), l), o = A(r), i = ({ where: a }) => {
    const c = n.state.data.where.trim();
    n.edit("data", { where: c ? `(${c}) and (${a})` : a });
  };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "row end controls", children: [
      /* @__PURE__ */ s(M, { label: "Groups by", value: l.subgroups ?? "", choices: t.attributes.map(({ name: a }) => ({ value: a, label: a })), onChange: (a) => n.edit("reading", { subgroups: a }) }),
      r && /* @__PURE__ */ s("span", { class: "tools", children: [
        /* @__PURE__ */ s(de, { question: r, title: `${e.title} by ${l.subgroups}` }),
        /* @__PURE__ */ s(ue, { question: r, name: `${e.title} by ${l.subgroups}` })
      ] })
    ] }),
    /* @__PURE__ */ s(I, { of: o, what: "Drawing the groups", children: (a) => /* @__PURE__ */ s(yr, { groups: a, square: e.square, onKeep: i }) })
  ] });
}
function yr({ groups: e, square: t = !1, onKeep: n }) {
  const l = e.groups.find((o) => o.lines.length > 0)?.lines ?? [], r = Bt(l);
  return /* @__PURE__ */ s(x, { children: [
    l.length > 1 && /* @__PURE__ */ s("ul", { class: "chips", "aria-label": "Lines", children: l.slice(0, 8).map((o, i) => /* @__PURE__ */ s("li", { class: "named", children: [
      /* @__PURE__ */ s(qn, { color: r[i] }),
      o.name
    ] }, o.name)) }),
    /* @__PURE__ */ s("div", { class: "multiples", children: e.groups.map((o) => /* @__PURE__ */ s(Ou, { group: o, of: e, square: t, ...n ? { onKeep: n } : {} }, o.where)) })
  ] });
}
function Nu(e, t) {
  return t === null ? [] : e.flatMap(({ threshold: n, x: l, y: r }) => {
    const o = En(n), i = we(n, o, t), a = i < 0 ? -1 : o[i];
    return a < 0 || !Number.isFinite(l[a]) ? [] : [{ kind: "point", x: l[a], y: r[a] }];
  });
}
function Ou({ group: e, of: t, square: n, onKeep: l }) {
  const r = Bt(e.lines), o = e.lines.filter((a) => a.x.length > 0), i = Nu(o, vr(Mu));
  return /* @__PURE__ */ s("figure", { class: "multiple", children: [
    /* @__PURE__ */ s("figcaption", { children: [
      /* @__PURE__ */ s("strong", { children: e.name }),
      " ",
      /* @__PURE__ */ s("small", { children: E(e.n, "row") })
    ] }),
    e.reason !== null || !o.length ? /* @__PURE__ */ s("p", { class: "empty", children: e.reason ?? "Nothing is defined here." }) : /* @__PURE__ */ s(
      Q,
      {
        label: `${e.name}: ${t.y_title} by ${t.x_title}`,
        series: e.lines.map((a, c) => ({ id: a.name || "all", name: a.name || "all rows", color: r[c], x: a.x, y: a.y, threshold: a.threshold })),
        x: { title: t.x_title, ...t.x_domain ? { domain: t.x_domain } : {}, ...t.x_names.length ? { names: t.x_names } : {} },
        y: { title: t.y_title, ...t.y_domain ? { domain: t.y_domain } : {} },
        square: n,
        height: 230,
        table: !1,
        legend: !1,
        marks: i
      }
    ),
    t.area_name !== null && o.length > 0 && /* @__PURE__ */ s("p", { class: "hint", children: [
      t.area_name,
      ":",
      " ",
      o.slice(0, 4).map((a, c) => /* @__PURE__ */ s("span", { children: [
        c > 0 && ", ",
        a.name && `${a.name} `,
        /* @__PURE__ */ s(C, { value: a.area, digits: 3, name: "area" })
      ] }, a.name))
    ] }),
    l && /* @__PURE__ */ s("button", { class: "link", onClick: () => l(e), children: [
      "Keep only ",
      e.name
    ] })
  ] });
}
function Ie(e, t) {
  return function({ question: l, compact: r = !1 }) {
    const o = A(l);
    return /* @__PURE__ */ s(I, { of: o, what: e, children: (i) => t(i, r, l) });
  };
}
const Eu = (e) => ["roc", "precision-recall"].includes(String(e.curve?.preset)), Pu = {
  reading: Ie("Counting", (e, t) => /* @__PURE__ */ s(cr, { reading: e, compact: t })),
  optimum: Ie("Looking for the best threshold", (e, t) => /* @__PURE__ */ s(br, { answer: e, compact: t })),
  "iso-cost": Ie("Adding up the costs", (e) => /* @__PURE__ */ s(dr, { lines: e.lines })),
  cases: Ie("Looking for the cases", (e, t) => /* @__PURE__ */ s(ir, { cases: e, compact: t })),
  difference: Ie("Comparing the two curves", (e, t) => /* @__PURE__ */ s(ur, { difference: e, compact: t })),
  subgroups: Ie("Drawing the groups", (e, t, n) => /* @__PURE__ */ s(yr, { groups: e, square: Eu(n) }))
}, bn = { ...oc, ...Ws, ...Hc, ...Tc, ...Pu }, vn = 1, Ru = 5e6, yn = 500, $t = 5e4;
class K extends Error {
}
function Lu(e, t) {
  const n = e.board.pins.map(({ title: r, note: o, question: i, from: a }) => ({ title: r, note: o, question: i, from: a })), l = { plumbline: t, format: vn, data: e.data, name: e.board.name, pins: n, state: e.state };
  return `${JSON.stringify(l, null, 1)}
`;
}
function Iu(e, t) {
  const n = Ot(Fu(e), "the file");
  if (typeof n.plumbline != "string" || typeof n.format != "number")
    throw new K("This is no board: it does not say that Plumbline made it.");
  if (n.format !== vn)
    throw new K(`This board is of another Plumbline, ${n.plumbline.slice(0, 40)} (format ${n.format}); this one reads format ${vn}.`);
  const l = Ot(n.data, "data"), r = {
    name: be(l.name, "data.name", yn),
    n: qu(l.n, "data.n"),
    fingerprint: be(l.fingerprint, "data.fingerprint", 64)
  };
  return { board: { name: be(n.name, "name", yn), pins: _r(n.pins, t) }, data: r, state: be(n.state, "state", $t) };
}
function _r(e, t) {
  if (!Array.isArray(e)) throw new K("This is no board: its cards are missing.");
  if (e.length > rt) throw new K(`This board has ${e.length} cards; a board holds ${rt}.`);
  return e.map((n, l) => Du(n, `card ${l + 1}`, t));
}
function Du(e, t, n) {
  const l = Ot(e, t), r = l.question === null ? null : Ot(l.question, `the question of ${t}`);
  if (r !== null) {
    const o = be(r.kind, `the kind of ${t}`, 60);
    if (!n(o)) throw new K(`This board cannot be opened: ${t} is of the kind “${o}”, which this Plumbline does not draw.`);
    if (JSON.stringify(r).length > $t) throw new K(`This board cannot be opened: ${t} is too long.`);
  }
  return {
    id: jt(),
    title: be(l.title, `the title of ${t}`, yn),
    note: be(l.note, `the note of ${t}`, $t),
    question: r,
    from: l.from === null ? null : be(l.from, `the state of ${t}`, $t)
  };
}
function Fu(e) {
  try {
    return JSON.parse(e);
  } catch {
    throw new K("This is no board: the file is not JSON.");
  }
}
function Ot(e, t) {
  if (e === null || typeof e != "object" || Array.isArray(e)) throw new K(`This board cannot be opened: ${t} holds no fields.`);
  return e;
}
function be(e, t, n) {
  if (typeof e != "string") throw new K(`This board cannot be opened: ${t} is no text.`);
  if (e.length > n) throw new K(`This board cannot be opened: ${t} is longer than ${n} characters.`);
  return e;
}
function qu(e, t) {
  if (!Number.isInteger(e) || e < 0) throw new K(`This board cannot be opened: ${t} is no number of rows.`);
  return e;
}
const ju = 500;
function Bu({ table: e }) {
  const t = $();
  return P(() => {
    const n = `plumbline.board.${e}`, l = Wu(n);
    l !== null && !t.state.board.pins.length && t.replace({ ...t.state, board: l });
    let r = t.state.board;
    return t.subscribe(() => {
      t.state.board === r || t.state.table !== e || (r = t.state.board, Hu(n, r));
    });
  }, [t, e]), null;
}
function Wu(e) {
  try {
    const t = JSON.parse(sessionStorage.getItem(e) ?? "null");
    return t === null || typeof t.name != "string" || t.name.length > ju ? null : { name: t.name, pins: _r(t.pins, wr) };
  } catch {
    return null;
  }
}
function Hu(e, t) {
  try {
    sessionStorage.setItem(e, JSON.stringify(t));
  } catch {
  }
}
const wr = (e) => Object.hasOwn(bn, e);
function zu(e, t, n) {
  const l = new Set(t ?? e);
  l.delete(n) || l.add(n);
  const r = e.filter((o) => l.has(o));
  return r.length === e.length ? null : r;
}
const zl = (e) => `"${e.replace(/[\\"]/g, "\\$&")}"`, Uu = /^[A-Za-z_][A-Za-z0-9_]*$/, Vu = (e, t) => t.has(e) && Uu.test(e) ? e : `\`${e}\``;
function Gu(e, t) {
  if (t.kind === "truth") return t.value ? e : `not ${e}`;
  if (t.kind === "category")
    return t.values.length ? t.values.length === 1 ? `${e} == ${zl(t.values[0])}` : `${e} in [${t.values.map(zl).join(", ")}]` : null;
  const { low: n, high: l } = t;
  return n !== null && l !== null ? `${n} <= ${e} <= ${l}` : n !== null ? `${e} >= ${n}` : l === null ? null : `${e} <= ${l}`;
}
function Ju(e, t) {
  const n = e.trim();
  return n ? `${/\b(or|if)\b/.test(n) ? `(${n})` : n} and ${t}` : t;
}
const Ku = 8;
function Ul({ title: e, names: t, chosen: n, onChange: l }) {
  const [r, o] = _(""), i = t.length > Ku, a = i && r ? t.filter((u) => u.toLowerCase().includes(r.toLowerCase())) : t, c = n === null ? t.length : t.filter((u) => n.includes(u)).length;
  return /* @__PURE__ */ s("fieldset", { class: "checklist", children: [
    /* @__PURE__ */ s("legend", { children: [
      e,
      " ",
      /* @__PURE__ */ s("small", { children: `${O(c)} of ${O(t.length)}` })
    ] }),
    /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => l(null), "aria-label": `${e}: select all`, children: "Select all" }),
      /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => l([]), "aria-label": `${e}: select none`, children: "None" })
    ] }),
    i && /* @__PURE__ */ s("label", { class: "find", children: [
      /* @__PURE__ */ s("span", { children: `Find in ${e.toLowerCase()}` }),
      /* @__PURE__ */ s("input", { type: "search", value: r, onInput: (u) => o(u.currentTarget.value) })
    ] }),
    /* @__PURE__ */ s("div", { class: i ? "names boxed" : "names", children: [
      a.map((u) => /* @__PURE__ */ s($e, { label: u, checked: n === null || n.includes(u), onChange: () => l(zu(t, n, u)) }, u)),
      !a.length && /* @__PURE__ */ s("p", { class: "hint", children: "Nothing here is called so." })
    ] }),
    c === 0 && /* @__PURE__ */ s("p", { class: "hint lacking", children: "Nothing is selected, so there is nothing to show." })
  ] });
}
function Qu({ attributes: e }) {
  const t = $(), n = k((m) => m.data.where), { variables: l } = it(), [r, o] = _(e[0].name), i = e.find((m) => m.name === r) ?? e[0], [a, c] = _(() => nn(i)), u = new Set(l.filter((m) => m.attribute).map((m) => m.name)), d = Gu(Vu(i.name, u), a), f = (m) => {
    o(m), c(nn(e.find((p) => p.name === m)));
  }, h = () => {
    d !== null && (t.edit("data", { where: Ju(n, d) }), c(nn(i)));
  };
  return /* @__PURE__ */ s("details", { class: "quick", children: [
    /* @__PURE__ */ s("summary", { children: "Filter by a value" }),
    /* @__PURE__ */ s(M, { label: "Attribute", value: i.name, choices: e.map((m) => ({ value: m.name, label: m.name })), onChange: f }),
    a.kind === "number" && /* @__PURE__ */ s(Xu, { attribute: i, wanted: a, onChange: c }),
    a.kind === "truth" && /* @__PURE__ */ s(M, { label: "Value", value: String(a.value), choices: [{ value: "true", label: "true" }, { value: "false", label: "false" }], onChange: (m) => c({ kind: "truth", value: m === "true" }) }),
    a.kind === "category" && /* @__PURE__ */ s(Yu, { attribute: i, wanted: a, onChange: c }),
    /* @__PURE__ */ s("button", { type: "button", disabled: d === null, onClick: h, children: "Add to the filter" })
  ] });
}
function nn(e) {
  return e.kind === "category" ? { kind: "category", values: [] } : e.kind === "truth" ? { kind: "truth", value: !0 } : { kind: "number", low: null, high: null };
}
function Xu({ attribute: e, wanted: t, onChange: n }) {
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "pair", children: [
      /* @__PURE__ */ s(z, { live: !0, label: "From", value: t.low, onChange: (l) => n({ ...t, low: l }) }),
      /* @__PURE__ */ s(z, { live: !0, label: "To", value: t.high, onChange: (l) => n({ ...t, high: l }) })
    ] }),
    /* @__PURE__ */ s("p", { class: "hint", children: `Values go from ${O(e.low)} to ${O(e.high)}.` })
  ] });
}
function Yu({ attribute: e, wanted: t, onChange: n }) {
  const l = e.values ?? [], r = (e.distinct ?? l.length) - l.length, o = (i) => {
    const a = t.values.filter((c) => c !== i);
    n({ ...t, values: a.length < t.values.length ? a : [...t.values, i] });
  };
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { children: "Values" }),
    /* @__PURE__ */ s("div", { class: l.length > 8 ? "names boxed" : "names", children: l.map((i) => /* @__PURE__ */ s($e, { label: i, checked: t.values.includes(i), onChange: () => o(i) }, i)) }),
    r > 0 && /* @__PURE__ */ s("p", { class: "hint", children: `${O(r)} more values; write those into the formula.` })
  ] });
}
function Zu({ about: e }) {
  const t = $(), n = k((l) => l.data.where);
  return /* @__PURE__ */ s("section", { class: "filter", "aria-label": "Filter", children: [
    /* @__PURE__ */ s(je, { label: "Keep only rows where", part: "where", value: n, onChange: (l) => t.edit("data", { where: l }, "where"), placeholder: td(e) }),
    /* @__PURE__ */ s(ed, {}),
    n.trim() !== "" && /* @__PURE__ */ s("button", { type: "button", class: "link", onClick: () => t.edit("data", { where: "" }), children: "Clear the filter" }),
    e.attributes.length > 0 && /* @__PURE__ */ s(Qu, { attributes: e.attributes })
  ] });
}
function ed() {
  const e = k((a) => a.data), t = A({ kind: "rows", data: ne(e) }, { delay: 100 });
  if (t.error) return t.error.kind === "cancelled" ? null : /* @__PURE__ */ s(Z, { failure: t.error });
  if (t.answer === null) return /* @__PURE__ */ s("p", { class: "hint", children: "Counting rows …" });
  const { table: n, kept: l, effective_n: r, positive: o, positives: i } = t.answer;
  return /* @__PURE__ */ s("p", { class: t.stale ? "hint count stale" : "hint count", "aria-live": "polite", children: [
    l === n ? `All ${E(n, "row")}` : `${O(l)} of ${E(n, "row")}`,
    `, ${O(i)} of them “${o}”`,
    Math.abs(r - l) > 1e-9 * l && `; effective number of rows ${O(r)}`
  ] });
}
const td = (e) => {
  const t = e.attributes[0];
  return t === void 0 ? "probability > 0.5" : t.kind === "number" ? `${/^\w+$/.test(t.name) ? t.name : `\`${t.name}\``} > ${O(t.low)}` : "";
}, nd = 12;
function ld() {
  const e = k((r) => r.data), [t, n] = _(!1), l = A(t ? { kind: "doctor", data: ne(e) } : null, { delay: 200 });
  return /* @__PURE__ */ s("details", { class: "findings", open: t, onToggle: (r) => n(r.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: "Is anything odd about these rows?" }),
    t && /* @__PURE__ */ s(I, { of: l, what: "Looking at the rows", children: (r) => /* @__PURE__ */ s(sd, { answer: r }) })
  ] });
}
function sd({ answer: e }) {
  const t = Object.entries(e.class_shares);
  return /* @__PURE__ */ s(x, { children: [
    e.remarks.length === 0 && /* @__PURE__ */ s("p", { children: "Nothing is odd." }),
    /* @__PURE__ */ s("ul", { class: "remarks", children: e.remarks.map((n) => /* @__PURE__ */ s("li", { children: [
      /* @__PURE__ */ s("strong", { children: n.subject }),
      /* @__PURE__ */ s("span", { children: n.text })
    ] }, n.subject)) }),
    /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s("dt", { children: "Distinct scores" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: e.distinct_scores }) }),
      t.length <= nd && t.map(([n, l]) => /* @__PURE__ */ s(x, { children: [
        /* @__PURE__ */ s("dt", { children: `Share of ${n}` }, n),
        /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s(C, { value: l, digits: 3 }) })
      ] }))
    ] })
  ] });
}
function kr({ label: e, value: t, choices: n, onChange: l, hint: r, disabled: o }) {
  const [i, a] = _(t), c = U();
  P(() => a(t), [t]);
  const u = n.includes(i), d = (h) => {
    a(h), n.includes(h) && h !== t && l(h);
  }, f = u ? r : i === "" ? "Type a part of the name" : `Nothing here is called ${i}; ${t} stays chosen`;
  return /* @__PURE__ */ s(ee, { label: e, ...f ? { hint: f } : {}, children: (h) => /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("input", { id: h, list: c, value: i, disabled: o, "aria-invalid": !u, autocomplete: "off", onFocus: (m) => m.currentTarget.select(), onInput: (m) => d(m.currentTarget.value), onBlur: () => a(t) }),
    /* @__PURE__ */ s("datalist", { id: c, children: n.map((m) => /* @__PURE__ */ s("option", { value: m }, m)) })
  ] }) });
}
const rd = 20, od = [
  { value: "", label: "As the curve says" },
  { value: "merge", label: "Pool the rows of all folds" },
  { value: "vertical", label: "Mean of y at equal x" },
  { value: "threshold", label: "Mean at equal thresholds" },
  { value: "smooth", label: "Smooth mean" },
  { value: "none", label: "No mean: every fold by itself" }
], id = [
  { value: "", label: "The positive class against the rest" },
  { value: "per-class", label: "Every class against the rest" },
  { value: "micro", label: "Micro: all questions pooled" },
  { value: "macro", label: "Macro: mean of the classes" }
];
function ad({ about: e }) {
  const t = $(), n = k((c) => c.data.target) ?? e.positive, l = k((c) => c.curve.multiclass), r = (c) => t.edit("data", { target: c === e.positive ? null : c }), o = "Positive class (what is to be detected)", i = "The curve is drawn for every class, so it has no positive class; other rooms still use this one.", a = { label: o, value: n, onChange: r };
  return e.classes.length > rd ? /* @__PURE__ */ s(kr, { ...a, choices: e.classes.map(({ name: c }) => c), hint: l ? i : `${E(e.k, "class", "classes")}; type to find one`, disabled: l !== null }) : /* @__PURE__ */ s(ee, { label: o, ...l ? { hint: i } : {}, children: (c) => /* @__PURE__ */ s("select", { id: c, value: n, disabled: l !== null, onChange: (u) => r(u.currentTarget.value), children: e.classes.map(({ name: u, rows: d }) => /* @__PURE__ */ s("option", { value: u, children: `${u} (${E(d, "row")})` }, u)) }) });
}
function cd({ about: e }) {
  const t = $(), n = k((r) => r.curve.average), l = k((r) => r.curve.multiclass);
  return /* @__PURE__ */ s(x, { children: [
    e.folds.length > 1 && /* @__PURE__ */ s(M, { label: "Averaging of folds", value: n ?? "", choices: od, onChange: (r) => t.edit("curve", { average: r || null }) }),
    e.k > 2 && /* @__PURE__ */ s(M, { label: "Averaging of classes", value: l ?? "", choices: id, onChange: (r) => t.edit("curve", { multiclass: r || null }) })
  ] });
}
function ud({ about: e }) {
  const [t, n] = _(!1);
  return /* @__PURE__ */ s("aside", { class: "data-panel panel", "aria-label": "Data", children: [
    /* @__PURE__ */ s("h2", { children: [
      /* @__PURE__ */ s("button", { type: "button", class: "quiet drawer", "aria-expanded": t, "aria-controls": "data-panel", onClick: () => n(!t), children: "Data: choose models, folds and rows" }),
      /* @__PURE__ */ s("span", { class: "wide", children: "Data" })
    ] }),
    /* @__PURE__ */ s("div", { id: "data-panel", class: t ? "content open" : "content", children: [
      /* @__PURE__ */ s(dd, { about: e }),
      /* @__PURE__ */ s(ad, { about: e }),
      /* @__PURE__ */ s(cd, { about: e }),
      /* @__PURE__ */ s(Zu, { about: e }),
      e.has_weight && /* @__PURE__ */ s(hd, { about: e }),
      /* @__PURE__ */ s(ld, {}),
      /* @__PURE__ */ s(fd, {})
    ] })
  ] });
}
function dd({ about: e }) {
  const t = $(), n = k((r) => r.data.models), l = k((r) => r.data.folds);
  return /* @__PURE__ */ s(x, { children: [
    e.models.length > 1 && /* @__PURE__ */ s(Ul, { title: "Models", names: e.models, chosen: n, onChange: (r) => t.edit("data", { models: r }) }),
    e.folds.length > 1 && /* @__PURE__ */ s(Ul, { title: "Folds", names: e.folds, chosen: l, onChange: (r) => t.edit("data", { folds: r }) }),
    e.folds.length <= 1 && /* @__PURE__ */ s("p", { class: "hint", children: e.folds.length === 1 ? "There is one fold, so nothing varies over folds." : "The table tells no folds." })
  ] });
}
function hd({ about: e }) {
  const t = $(), n = k((l) => l.data.weighted);
  return /* @__PURE__ */ s("div", { class: "weights", children: [
    /* @__PURE__ */ s($e, { label: "Weights count", checked: n, onChange: (l) => t.edit("data", { weighted: l }) }),
    /* @__PURE__ */ s("p", { class: "hint", children: n ? `The whole table counts as ${O(e.effective_n)} rows of equal weight.` : `Each of the ${E(e.n, "row")} counts the same.` })
  ] });
}
function fd() {
  const e = $(), t = k((l) => l.data);
  return t.models !== null || t.folds !== null || t.where.trim() !== "" || !t.weighted || t.target !== null ? /* @__PURE__ */ s("button", { type: "button", onClick: () => e.edit("data", { models: null, folds: null, where: "", weighted: !0, target: null }), children: "Use all rows again" }) : null;
}
class Bn extends Ge {
  state = { message: null };
  static getDerivedStateFromError(t) {
    return { message: t instanceof Error ? t.message : String(t) };
  }
  render() {
    if (this.state.message === null) return this.props.children;
    const t = () => {
      this.props.onReset(), this.setState({ message: null });
    };
    return /* @__PURE__ */ s("div", { class: "notice", role: "alert", children: [
      /* @__PURE__ */ s("p", { children: `${this.props.title} cannot be shown as it is set: ${this.state.message}` }),
      /* @__PURE__ */ s("button", { type: "button", onClick: t, children: "Set everything here to how it was at first" })
    ] });
  }
}
const md = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.500 1.500M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.500-1.500",
  close: "M6 6l12 12M18 6 6 18",
  columns: "M4 5h16v14H4zM9.500 5v14M14.500 5v14",
  panel: "M4 5h16v14H4zM10 5v14"
};
function _n({ name: e }) {
  return /* @__PURE__ */ s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ s("path", { d: md[e] }) });
}
const xr = () => /* @__PURE__ */ s("span", { class: "brand", children: [
  /* @__PURE__ */ s("svg", { viewBox: "0 0 16 20", "aria-hidden": "true", children: [
    /* @__PURE__ */ s("path", { d: "M8 0v8", "stroke-width": "1.5" }),
    /* @__PURE__ */ s("path", { d: "M4 8h8l-1 5-3 6-3-6z", stroke: "none" })
  ] }),
  "Plumbline"
] }), $r = Lt(null), ie = () => It($r), Wn = ["actual", "predicted", "score", "model", "fold", "repeat", "row", "weight"], pd = {
  actual: "True class",
  predicted: "Predicted class",
  score: "Score (a rating, no probability)",
  model: "Model",
  fold: "Fold",
  repeat: "Repeat",
  row: "Row (which example it is)",
  weight: "Weight",
  attribute: "Attribute"
}, gd = 30, J = "prob:";
function Sr(e) {
  return e.startsWith(J) ? `P(${e.slice(J.length)})` : e.startsWith("score:") ? `Score of ${e.slice(6)}` : pd[e] ?? e;
}
function bd(e, t) {
  return Object.fromEntries(e.map((n) => [n.name, vd(n, t)]));
}
function vd({ name: e, plays: t }, n) {
  if (e === n.actual) return "actual";
  if (Object.hasOwn(n.prob, e)) return `${J}${n.prob[e]}`;
  const l = Object.hasOwn(n.rename, e) ? n.rename[e] : t;
  return l == null ? "attribute" : l.startsWith("p:") ? `${J}${l.slice(2)}` : yd(l) ? l : "attribute";
}
const yd = (e) => Wn.includes(e) || e.startsWith("score:");
function _d(e, t, n, l) {
  const r = { actual: null, prob: {}, rename: {}, positive: n, normalize: l }, o = new Set(e.map((a) => a.name));
  for (const { name: a, plays: c } of e) {
    const u = t[a] ?? "attribute";
    u === "actual" ? r.actual = a : u.startsWith(J) && wd(c) ? r.rename[a] = Vl(`p:${u.slice(J.length)}`, o) : u.startsWith(J) ? r.prob[a] = u.slice(J.length) : u !== "attribute" && u !== a ? r.rename[a] = u : u === "attribute" && c !== null && c !== "y_true" && c !== "y_prob" && (r.rename[a] = Vl(`${a}_`.replace(":", "_"), o));
  }
  const i = Object.values(r.rename).filter((a) => a.startsWith("p:"));
  for (const a of i) r.prob[a] = a.slice(2);
  return r;
}
const wd = (e) => e === "score" || (e?.startsWith("score:") ?? !1);
function Vl(e, t) {
  let n = e;
  for (; t.has(n); ) n = `${n}_`;
  return t.add(n), n;
}
function Cr(e, t) {
  const l = e.find((o) => t[o.name] === "actual")?.values ?? null, r = new Map((l ?? []).filter(({ name: o }) => o !== "").map(({ name: o, rows: i }) => [o, i]));
  for (const o of e) {
    const i = t[o.name] ?? "", a = i.slice(J.length);
    i.startsWith(J) && !r.has(a) && r.set(a, l ? 0 : null);
  }
  return [...r].map(([o, i]) => ({ name: o, rows: i }));
}
function kd(e, t, n) {
  const l = n.length <= gd ? n.map(({ name: i }) => `${J}${i}`) : [], r = e.name.startsWith("p:") ? [`${J}${e.name.slice(2)}`] : [], o = e.name.startsWith("score:") ? [e.name] : [];
  return [.../* @__PURE__ */ new Set(["attribute", "actual", ...l, ...r, ...Wn.slice(1), ...o, t])];
}
function xd(e, t) {
  const n = (i) => e.filter((a) => t[a.name] === i).map((a) => a.name), l = e.map((i) => t[i.name] ?? "").filter((i) => i.startsWith(J));
  if (!n("actual").length) return "Which column is the true class, what really happened?";
  for (const i of /* @__PURE__ */ new Set([...Wn, ...l])) {
    const a = n(i);
    if (a.length > 1) return `Only one column can be “${Sr(i)}”: ${a.join(", ")}.`;
  }
  const r = e.some((i) => (t[i.name] ?? "").startsWith("score"));
  if (!l.length && !r && !n("predicted").length)
    return "Which columns hold the predicted probabilities? A column of scores or of predicted classes would do, too.";
  const o = Cr(e, t);
  if (l.length && o.length > 2) {
    const i = o.filter(({ name: a }) => !l.includes(`${J}${a}`)).map(({ name: a }) => a);
    if (i.length) return `With ${o.length} classes every one needs its column of probabilities; none is given for ${$d(i)}.`;
  }
  return null;
}
function $d(e) {
  const t = e.slice(0, 5).join(", ");
  return e.length > 5 ? `${t} and ${e.length - 5} more` : t;
}
function Sd({ columns: e, parts: t, classes: n, onChange: l }) {
  return /* @__PURE__ */ s("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": "Columns of the table", children: /* @__PURE__ */ s("table", { class: "roles", children: [
    /* @__PURE__ */ s("thead", { children: /* @__PURE__ */ s("tr", { children: [
      /* @__PURE__ */ s("th", { scope: "col", children: "Column" }),
      /* @__PURE__ */ s("th", { scope: "col", children: "Meaning" }),
      /* @__PURE__ */ s("th", { scope: "col", children: "First values" })
    ] }) }),
    /* @__PURE__ */ s("tbody", { children: e.map((r) => /* @__PURE__ */ s(Cd, { column: r, part: t[r.name] ?? "attribute", classes: n, onChange: l }, r.name)) })
  ] }) });
}
function Cd({ column: e, part: t, classes: n, onChange: l }) {
  return /* @__PURE__ */ s("tr", { class: t === "attribute" ? "attribute" : void 0, children: [
    /* @__PURE__ */ s("th", { scope: "row", children: [
      e.name,
      " ",
      /* @__PURE__ */ s("small", { children: e.type })
    ] }),
    /* @__PURE__ */ s("td", { children: /* @__PURE__ */ s("select", { "aria-label": `Meaning of ${e.name}`, value: t, onChange: (r) => l(e.name, r.currentTarget.value), children: kd(e, t, n).map((r) => /* @__PURE__ */ s("option", { value: r, children: Sr(r) }, r)) }) }),
    /* @__PURE__ */ s("td", { class: "values", children: e.examples.map((r) => r === "" ? "(empty)" : r).join(", ") })
  ] });
}
const Td = 12;
function Md({ classes: e, chosen: t, onChange: n }) {
  const l = U();
  if (!e.length) return null;
  const r = "Which outcome are you trying to detect?";
  return e.length > Td ? /* @__PURE__ */ s(kr, { label: r, value: t ?? "", choices: e.map(({ name: o }) => o), onChange: n, hint: `${E(e.length, "class", "classes")}; type to find one` }) : /* @__PURE__ */ s("fieldset", { class: "positive", children: [
    /* @__PURE__ */ s("legend", { children: r }),
    e.map(({ name: o, rows: i }) => /* @__PURE__ */ s("label", { class: "check", children: [
      /* @__PURE__ */ s("input", { type: "radio", name: l, checked: o === t, onChange: () => n(o) }),
      /* @__PURE__ */ s("span", { children: [
        o,
        " ",
        i !== null && /* @__PURE__ */ s("small", { children: E(i, "row") })
      ] })
    ] }, o))
  ] });
}
function Tr({ table: e, known: t = null, onOpened: n, onCancel: l }) {
  const { host: r } = ie(), [o, i] = _(null), [a, c] = _(null);
  return P(() => {
    let u = !0;
    return r.columns(e).then(
      (d) => u && i(d),
      (d) => u && c(se(d))
    ), () => {
      u = !1;
    };
  }, [r, e]), a ? /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(Z, { failure: a }),
    /* @__PURE__ */ s("div", { children: /* @__PURE__ */ s("button", { type: "button", onClick: l, children: "Back" }) })
  ] }) : o === null ? /* @__PURE__ */ s(Nn, { what: "Looking at the columns" }) : /* @__PURE__ */ s(Ad, { table: e, found: o, first: t ?? o.guess, onOpened: n, onCancel: l });
}
function Ad({ table: e, found: t, first: n, onOpened: l, onCancel: r }) {
  const { host: o } = ie(), [i, a] = _(() => bd(t.columns, n)), [c, u] = _(n.positive), [d, f] = _(n.normalize), [h, m] = _(!1), [p, g] = _(!1), [b, v] = _(null), y = Cr(t.columns, i), w = y.some(({ name: F }) => F === c) ? c : y.at(-1)?.name ?? null, S = xd(t.columns, i);
  return /* @__PURE__ */ s("form", { class: "columns-form stack", onSubmit: async (F) => {
    F.preventDefault();
    const W = _d(t.columns, i, w, d);
    g(!0), v(null);
    try {
      await o.open(e, W), l(W);
    } catch (V) {
      v(se(V)), g(!1);
    }
  }, children: [
    /* @__PURE__ */ s("p", { class: "hint", children: [
      E(t.rows, "row"),
      ", ",
      E(t.columns.length, "column"),
      ". The meanings below are a guess: look them over and correct what is wrong."
    ] }),
    /* @__PURE__ */ s(
      Sd,
      {
        columns: t.columns,
        parts: i,
        classes: y,
        onChange: (F, W) => {
          a({ ...i, [F]: W }), m(!0), v(null);
        }
      }
    ),
    /* @__PURE__ */ s(Md, { classes: y, chosen: w, onChange: u }),
    /* @__PURE__ */ s($e, { label: "Probabilities do not sum to 1: divide each row by its sum", checked: d, onChange: f }),
    !h && t.problem && !Nd(n, t.guess) && /* @__PURE__ */ s(Z, { failure: { kind: "input", message: t.problem } }),
    S && /* @__PURE__ */ s("p", { class: "hint lacking", children: S }),
    b && /* @__PURE__ */ s(Z, { failure: b }),
    /* @__PURE__ */ s("footer", { class: "row", children: [
      /* @__PURE__ */ s("button", { class: "primary", disabled: p || S !== null, children: p ? "Opening …" : "Open" }),
      /* @__PURE__ */ s("button", { type: "button", onClick: r, children: "Cancel" })
    ] })
  ] });
}
const Nd = (e, t) => e !== t;
function Hn({ title: e, onClose: t, wide: n, children: l }) {
  const r = N(null), o = U();
  return P(() => {
    const i = r.current;
    return i.open || i.showModal(), () => i.close();
  }, []), /* @__PURE__ */ s("dialog", { ref: r, class: n ? "wide" : void 0, "aria-labelledby": o, onClose: t, onCancel: t, children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { id: o, children: e }),
      /* @__PURE__ */ s("button", { type: "button", class: "icon quiet", "aria-label": "Close", onClick: t, children: /* @__PURE__ */ s(_n, { name: "close" }) })
    ] }),
    l
  ] });
}
function Od({ onClose: e }) {
  const t = ie(), { table: n } = te();
  return /* @__PURE__ */ s(Hn, { title: "What do the columns mean?", wide: !0, onClose: e, children: /* @__PURE__ */ s(Tr, { table: n, known: t.roles(n), onOpened: (l) => t.open(n, l), onCancel: e }) });
}
const Ed = 2500;
function Pd() {
  const e = $(), [t, n] = _(!1), [l, r] = _(null);
  return P(() => {
    if (!t) return;
    const i = setTimeout(() => n(!1), Ed);
    return () => clearTimeout(i);
  }, [t]), /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: async () => {
      const i = `${location.origin}${location.pathname}${Ft(e.state)}`;
      try {
        await navigator.clipboard.writeText(i), n(!0);
      } catch {
        r(i);
      }
    }, children: "Copy link" }),
    /* @__PURE__ */ s("span", { role: "status", children: t && /* @__PURE__ */ s("span", { class: "toast", children: "Link copied." }) }),
    l !== null && /* @__PURE__ */ s(Hn, { title: "Link to what is shown", onClose: () => r(null), children: /* @__PURE__ */ s(ee, { label: "Address", hint: "It works as long as this server runs and the table is open.", children: (i) => /* @__PURE__ */ s("input", { id: i, readOnly: !0, value: l, onFocus: (a) => a.currentTarget.select() }) }) })
  ] });
}
function Rd({ key: e, ctrlKey: t, metaKey: n, altKey: l, shiftKey: r }) {
  if (l) return null;
  if (t || n) {
    const o = e.toLowerCase();
    return o === "z" ? r ? "redo" : "undo" : o === "y" && !r ? "redo" : null;
  }
  return e === "?" ? "help" : null;
}
const Ld = /* @__PURE__ */ new Set(["text", "search", "number", "url", "email", "password", "tel", "date"]);
function Id(e) {
  return e instanceof HTMLElement ? e instanceof HTMLInputElement ? Ld.has(e.type) : e instanceof HTMLTextAreaElement || e instanceof HTMLSelectElement || e.isContentEditable : !1;
}
const Dd = [
  ["Ctrl+Z", "Undo the last change (⌘Z on a Mac)"],
  ["Ctrl+Shift+Z", "Redo it; Ctrl+Y does the same"],
  ["Tab, Shift+Tab", "Go to the next or the previous control"],
  ["← →", "In a chart: move the threshold along the curve"],
  ["Ctrl+Space", "In a formula: offer names"],
  ["Esc", "Close a list, a menu or a window"],
  ["?", "Show this list"]
];
function Fd({ open: e, onOpen: t, onClose: n }) {
  const l = $(), { host: r, theme: o } = ie(), i = r.notebook ? o.root : document;
  return P(() => {
    const a = (c) => {
      if (c.defaultPrevented || Id(c.target) || document.querySelector("dialog[open]")) return;
      const u = Rd(c);
      u !== null && (c.preventDefault(), u === "undo" ? l.undo() : u === "redo" ? l.redo() : t());
    };
    return i.addEventListener("keydown", a), () => i.removeEventListener("keydown", a);
  }, [l, t, i]), e ? /* @__PURE__ */ s(Hn, { title: "Keyboard", onClose: n, children: /* @__PURE__ */ s("dl", { class: "facts keys", children: Dd.map(([a, c]) => /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("dt", { children: /* @__PURE__ */ s("kbd", { children: a }) }),
    /* @__PURE__ */ s("dd", { children: c })
  ] })) }) }) : null;
}
const qd = {
  left: "M19 12H5m6-6-6 6 6 6",
  right: "M5 12h14m-6-6 6 6-6 6",
  up: "M12 19V5m-6 6 6-6 6 6",
  down: "M12 5v14m-6-6 6 6 6-6",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"
};
function Mr({ name: e }) {
  return /* @__PURE__ */ s("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", children: /* @__PURE__ */ s("path", { d: qd[e] }) });
}
const jd = ["left", "right", "up", "down"];
function Bd({ pin: e, canGo: t, go: n, dragged: l, onDrag: r, onDropped: o }) {
  const i = $(), a = U(), c = U(), u = (f, h) => i.edit("board", { pins: qa(i.state.board.pins, e.id, f) }, `${h} ${e.id}`), d = e.title || "untitled card";
  return /* @__PURE__ */ s(
    "li",
    {
      class: l ? "block board-card dragged" : "block board-card",
      "data-card": e.id,
      onDragOver: (f) => f.preventDefault(),
      onDrop: (f) => {
        f.preventDefault(), o();
      },
      children: [
        /* @__PURE__ */ s("header", { children: [
          /* @__PURE__ */ s(
            "span",
            {
              class: "grip",
              title: "Drag to move the card",
              draggable: !0,
              onDragStart: (f) => {
                f.dataTransfer?.setData("text/plain", d);
                const h = f.currentTarget.closest("li");
                h && f.dataTransfer?.setDragImage(h, 10, 10), r(!0);
              },
              onDragEnd: () => r(!1),
              children: /* @__PURE__ */ s(Mr, { name: "grip" })
            }
          ),
          /* @__PURE__ */ s("label", { for: a, class: "visually-hidden", children: "Title of the card" }),
          /* @__PURE__ */ s("input", { id: a, class: "card-title", value: e.title, placeholder: "Title", maxLength: 200, onInput: (f) => u({ title: f.currentTarget.value }, "title") }),
          /* @__PURE__ */ s(zd, { name: d, canGo: t, go: n })
        ] }),
        e.question && /* @__PURE__ */ s(Hd, { pin: e }),
        /* @__PURE__ */ s("div", { class: "card-note", children: [
          /* @__PURE__ */ s("label", { for: c, class: e.question ? "label" : "visually-hidden", children: "Note" }),
          /* @__PURE__ */ s("textarea", { id: c, rows: Wd(e), value: e.note, placeholder: "What is to be seen here?", maxLength: 2e4, onInput: (f) => u({ note: f.currentTarget.value }, "note") })
        ] }),
        /* @__PURE__ */ s(Ud, { pin: e, name: d })
      ]
    }
  );
}
const Wd = (e) => Math.min(12, Math.max(e.question ? 2 : 4, e.note.split(`
`).length + 1));
function Hd({ pin: e }) {
  const t = e.question, n = Object.hasOwn(bn, t.kind) ? bn[t.kind] : null;
  return n ? /* @__PURE__ */ s(Bn, { title: e.title, onReset: () => {
  }, children: /* @__PURE__ */ s(n, { question: t, compact: !0 }) }) : /* @__PURE__ */ s("p", { class: "hint", children: "This kind of result cannot be drawn here." });
}
function zd({ name: e, canGo: t, go: n }) {
  return /* @__PURE__ */ s("div", { class: "moves", role: "group", "aria-label": `Move ${e}`, children: jd.map((l) => /* @__PURE__ */ s("button", { type: "button", class: "icon quiet", "data-step": l, "aria-label": `Move ${e} ${l}`, disabled: !t(l), onClick: () => n(l), children: /* @__PURE__ */ s(Mr, { name: l }) }, l)) });
}
function Ud({ pin: e, name: t }) {
  const n = $();
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    e.question && e.from !== null && /* @__PURE__ */ s("button", { type: "button", "aria-label": `Open ${t} in its room`, onClick: () => n.change(Wa(e, n.state)), children: "Open in its room" }),
    e.question && /* @__PURE__ */ s(ue, { question: e.question, name: t }),
    /* @__PURE__ */ s("button", { type: "button", "aria-label": `Duplicate ${t}`, onClick: () => n.edit("board", { pins: ja(n.state.board.pins, e.id) }), children: "Duplicate" }),
    /* @__PURE__ */ s("button", { type: "button", "aria-label": `Remove ${t}`, onClick: () => n.edit("board", { pins: Us(n.state.board.pins, e.id) }), children: "Remove" })
  ] });
}
function Vd() {
  const { told: e, warning: t, failure: n, busy: l, save: r, open: o, page: i } = Gd(), a = N(null), c = $();
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("button", { type: "button", disabled: l, onClick: () => void r(), children: "Save board" }),
    /* @__PURE__ */ s("button", { type: "button", disabled: l, onClick: () => a.current?.click(), children: "Open board" }),
    /* @__PURE__ */ s(
      "input",
      {
        ref: a,
        type: "file",
        accept: ".json,application/json",
        "aria-label": "Board file",
        hidden: !0,
        onChange: (u) => {
          const d = u.currentTarget.files?.[0];
          u.currentTarget.value = "", d && o(d);
        }
      }
    ),
    /* @__PURE__ */ s("button", { type: "button", disabled: l || !c.state.board.pins.length, onClick: () => void i(), children: "Export page" }),
    /* @__PURE__ */ s("div", { class: "board-told", role: "status", children: [
      l ? "Working …" : e,
      t && /* @__PURE__ */ s("p", { class: "notice", children: t })
    ] }),
    n && /* @__PURE__ */ s(Z, { failure: n })
  ] });
}
function Gd() {
  const e = $(), t = te(), [n, l] = _(""), [r, o] = _(""), [i, a] = _(null), [c, u] = _(!1), d = async (g) => {
    u(!0), a(null), o(""), l("");
    try {
      l(await g());
    } catch (b) {
      a(b instanceof K ? { kind: "input", message: b.message } : se(b));
    } finally {
      u(!1);
    }
  }, f = async () => await t.ask({ kind: "fingerprint" });
  return { told: n, warning: r, failure: i, busy: c, save: () => d(async () => {
    const { plumbline: g, ...b } = await f(), { board: v } = e.state, y = Lu({ board: v, data: b, state: Ft({ ...e.state, table: null }) }, g), w = `${Ca(v.name)}.plumbline.json`;
    return Nt({ filename: w, mime: "application/json", bytes: new TextEncoder().encode(y) }), `Saved ${w}.`;
  }), open: (g) => d(async () => {
    if (g.size > Ru) throw new K("This file is larger than 5 MB; a board is smaller.");
    const b = Iu(await g.text(), wr), v = await f(), y = b.data.fingerprint === v.fingerprint, { state: w } = e, S = y ? { ...qt(b.state), table: w.table } : w;
    return e.change({ ...S, room: "board", board: b.board }), y || o(`This board was made from other rows: ${b.data.name}, ${E(b.data.n, "row")}. Its charts are drawn from the table that is open now, ${v.name}.`), `Opened ${b.board.name}: ${E(b.board.pins.length, "card")}.`;
  }), page: () => d(async () => {
    const { name: g, pins: b } = e.state.board, v = { kind: "board", pins: b.map(({ title: w, note: S, question: L }) => ({ title: w, note: S, question: L })) }, y = await t.host.ask(t.table, { kind: "export", what: v, format: "html", title: g || "Board" });
    return Nt(y), `Saved ${y.filename}.`;
  }) };
}
function Jd(e) {
  const t = $(), n = k((r) => r.board), l = U();
  return /* @__PURE__ */ s("div", { class: "stack board", children: [
    /* @__PURE__ */ s("div", { class: "panel board-head", children: [
      /* @__PURE__ */ s("div", { class: "field", children: [
        /* @__PURE__ */ s("label", { for: l, children: "Name of the board" }),
        /* @__PURE__ */ s("input", { id: l, value: n.name, maxLength: 200, onInput: (r) => t.edit("board", { name: r.currentTarget.value }, "board name") })
      ] }),
      /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s("button", { type: "button", disabled: n.pins.length >= rt, onClick: () => t.edit("board", { pins: [...t.state.board.pins, Da()] }), children: "Add note" }),
        /* @__PURE__ */ s(Vd, {})
      ] })
    ] }),
    n.pins.length > 0 && /* @__PURE__ */ s("p", { class: "hint", children: "Every chart keeps the rows and settings it was pinned with; the data panel does not change it." }),
    n.pins.length ? /* @__PURE__ */ s(Qd, {}) : /* @__PURE__ */ s(Kd, {})
  ] });
}
const Kd = () => /* @__PURE__ */ s("div", { class: "empty", children: [
  /* @__PURE__ */ s("p", { children: "Nothing is pinned yet. “Pin” beside any chart puts it here, drawn from the data and ready for a note." }),
  /* @__PURE__ */ s("p", { children: "A board can be saved as a file, opened again on this or another table, and exported as one page." })
] });
function Qd() {
  const e = $(), t = k((f) => f.board.pins), n = N(null), l = Xd(n), [r, o] = _(null), [i, a] = _(""), c = N(null);
  Ee(() => {
    if (!c.current) return;
    const { id: f, step: h } = c.current;
    c.current = null;
    const m = n.current?.querySelector(`[data-card="${f}"]`), p = m?.querySelector(`[data-step="${h}"]`);
    (p?.disabled ? m?.querySelector("[data-step]:not(:disabled), .card-title") : p)?.focus();
  }, [t]);
  const u = (f, h) => f + { left: -1, right: 1, up: -l, down: l }[h], d = (f, h) => {
    const m = t.find((p) => p.id === f)?.title ?? "";
    e.edit("board", { pins: Ba(e.state.board.pins, f, h) }), a(`${m} is now card ${h + 1} of ${t.length}.`);
  };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("ul", { class: "board-cards", ref: n, children: t.map((f, h) => /* @__PURE__ */ s(
      Bd,
      {
        pin: f,
        canGo: (m) => u(h, m) >= 0 && u(h, m) < t.length && !(l === 1 && (m === "left" || m === "right")),
        go: (m) => {
          c.current = { id: f.id, step: m }, d(f.id, u(h, m));
        },
        dragged: r === f.id,
        onDrag: (m) => o(m ? f.id : null),
        onDropped: () => {
          r !== null && r !== f.id && d(r, h), o(null);
        }
      },
      f.id
    )) }),
    /* @__PURE__ */ s("p", { class: "visually-hidden", role: "status", children: i })
  ] });
}
function Xd(e) {
  const [t, n] = _(1);
  return P(() => {
    const l = e.current;
    if (!l) return;
    const r = () => n(Math.max(1, getComputedStyle(l).gridTemplateColumns.split(" ").length));
    r();
    const o = new ResizeObserver(r);
    return o.observe(l), () => o.disconnect();
  }, [e]), t;
}
const Yd = 5e8;
function Zd({ question: e, labels: t, what: n, children: l }) {
  const r = te(), [o, i] = _(null), a = JSON.stringify(e);
  return t <= Yd || o === a || r.known(e) !== void 0 ? /* @__PURE__ */ s(x, { children: l() }) : /* @__PURE__ */ s("div", { class: "row", children: [
    /* @__PURE__ */ s("button", { onClick: () => i(a), children: n }),
    /* @__PURE__ */ s(T, { children: "On so many rows this may take a minute; fewer draws (under “More”) are quicker." })
  ] });
}
function ye({ question: e, title: t, controls: n, heading: l = !0, labels: r = 0 }) {
  const o = Ws[e.kind];
  return /* @__PURE__ */ s("section", { class: l ? "block" : "cal-inner", "aria-label": t, children: [
    /* @__PURE__ */ s("header", { children: [
      l && /* @__PURE__ */ s("h2", { children: t }),
      n,
      /* @__PURE__ */ s("div", { class: "tools", children: [
        /* @__PURE__ */ s(de, { question: e, title: t }),
        /* @__PURE__ */ s(ue, { question: e, name: t })
      ] })
    ] }),
    /* @__PURE__ */ s(Zd, { question: e, labels: r, what: "Compute", children: () => /* @__PURE__ */ s(o, { question: e }) })
  ] });
}
function eh({ label: e, value: t, min: n, max: l, disabled: r = !1, onChange: o }) {
  const i = (a) => {
    const c = Number(a);
    a !== "" && Number.isInteger(c) && c >= n && c <= l && o(c);
  };
  return /* @__PURE__ */ s(ee, { label: e, children: (a) => /* @__PURE__ */ s("div", { class: "slider", children: [
    /* @__PURE__ */ s("input", { type: "range", id: a, min: n, max: l, step: 1, value: t, disabled: r, onInput: (c) => i(c.currentTarget.value) }),
    /* @__PURE__ */ s("input", { type: "number", "aria-label": `${e}, as a number`, min: n, max: l, step: 1, value: t, disabled: r, onInput: (c) => i(c.currentTarget.value) })
  ] }) });
}
function zn(e, t) {
  const { models: n } = t.data;
  return n === null ? e.models : e.models.filter((l) => n.includes(l));
}
function Wt(e, t) {
  const n = zn(e, t), l = t.calibration.model;
  return l !== null && n.includes(l) ? l : n[0] ?? null;
}
const Ar = (e) => Ln.find((t) => t.value === e)?.numbered ?? !0;
function Un({ scheme: e, bins: t, least: n, view: l }) {
  if (l === "joint") return null;
  const r = Ar(e) ? `${e}:${t}` : e;
  return n !== null && Vn(e) ? `${r},min=${n}` : r;
}
const Vn = (e) => !["monotone-sweep", "isotonic", "one-per-point"].includes(e);
function Pe(e, t, n) {
  return { kind: e, data: ne(t.data), model: n };
}
function Nr(e, t) {
  const { view: n, distance: l, resamples: r, others: o } = e.calibration, i = { ...Pe("reliability", e, t), view: n, bins: Un(e.calibration), distance: l, resamples: r };
  return o ? { ...i, others: o } : i;
}
function th(e, t) {
  const { statistic: n, view: l, distance: r, resamples: o } = e.calibration, i = { ...Pe("calibration-test", e, t), statistic: n, resamples: o };
  return n === "ece" ? { ...i, view: l, bins: Un(e.calibration), distance: r } : { ...i, view: lt(l) ? l : null };
}
function nh(e, t) {
  const { view: n, resamples: l } = e.calibration;
  return { ...Pe("diagnosis", e, t), view: lt(n) ? n : null, resamples: l };
}
function Gl(e, t, n) {
  const { view: l, distance: r, resamples: o, scheme: i } = e.calibration, a = { ...Pe("groups", e, t), by: n, view: lt(l) ? l : null, resamples: o };
  return n === null ? a : { ...a, bins: Vn(i) && lt(l) ? Un(e.calibration) : null, distance: r };
}
function lh(e, t) {
  const { view: n, distance: l } = e.calibration;
  return { ...Pe("sensitivity", e, t), view: n === "joint" ? null : n, distance: l };
}
const sh = ({ effect: e, sizes: t }) => `${e}:${t[e] ?? Bs(e).size}`;
function rh(e, t) {
  const { power: n, level: l, n: r, planStatistic: o, datasets: i } = e.calibration;
  return { ...Pe("plan", e, t), effect: sh(e.calibration), power: n, level: l, n: r, statistic: o, datasets: i };
}
function oh(e, t) {
  const { method: n, resamples: l } = e.calibration;
  return { ...Pe("recalibration", e, t), method: n, resamples: l };
}
const Jl = (e) => /^[\w@%+=:,./-]+$/.test(e) ? e : `'${e.replaceAll("'", "'\\''")}'`;
function ih(e, t, n) {
  const l = n === null ? "" : ` --models ${Jl(n)}`, r = t === "auto" ? "" : ` --method ${t}`, o = n === null ? "" : `.select(model=${JSON.stringify(n)})`, i = [
    "import plumbline as pb",
    "",
    `holdout = pb.read(${JSON.stringify(e)})${o}`,
    `fitted = pb.recalibrate(holdout${t === "auto" ? "" : `, ${JSON.stringify(t)}`})`,
    'calibrated = fitted(pb.read("new.csv"))'
  ];
  return { shell: `plumbline recalibrate ${Jl(e)}${l}${r} --apply new.csv --out calibrated.csv --save-map map.json`, python: i.join(`
`) };
}
const ah = 2, ch = 100, Re = () => {
  const e = $();
  return (t, n = null) => e.edit("calibration", t, n);
};
function uh({ about: e }) {
  const t = k((f) => f.data), n = k((f) => f.calibration), l = Re(), r = { data: t, calibration: n }, o = zn(e, r), { view: i, scheme: a, bins: c } = n, u = fa(e, t.target), d = i === "joint";
  return /* @__PURE__ */ s("section", { class: "panel cal-asked", "aria-label": "What is measured", children: [
    /* @__PURE__ */ s("div", { class: "cal-controls", children: [
      o.length > 1 && /* @__PURE__ */ s(M, { label: "Model", value: Wt(e, r) ?? "", choices: o.map((f) => ({ value: f, label: f })), onChange: (f) => l({ model: f }) }),
      /* @__PURE__ */ s(M, { label: "View", value: i ?? "", choices: u, onChange: (f) => l({ view: f || null, ...f === "joint" && !Tl("joint").some((h) => h.value === n.distance) ? { distance: "absolute" } : {} }) }),
      /* @__PURE__ */ s(M, { label: "Bins", value: a, choices: Ln, onChange: (f) => l({ scheme: f }), ...d ? { hint: "Whole vectors need none." } : {} }),
      /* @__PURE__ */ s(eh, { label: "Number of bins", value: c, min: ah, max: ch, disabled: !Ar(a) || d, onChange: (f) => l({ bins: f }, "calibration bins") }),
      /* @__PURE__ */ s(M, { label: "Distance", value: n.distance, choices: Tl(i), onChange: (f) => l({ distance: f }) })
    ] }),
    /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "More" }),
      /* @__PURE__ */ s("div", { class: "cal-controls", children: [
        /* @__PURE__ */ s(M, { label: "Draws under the null", value: String(n.resamples), choices: ha, onChange: (f) => l({ resamples: Number(f) }), hint: "More draws, finer p-values." }),
        Vn(a) && !d && /* @__PURE__ */ s(z, { label: "Fewest rows in a bin", value: n.least, min: 1, step: 1, onChange: (f) => l({ least: f === null ? null : Math.max(1, Math.round(f)) }, "calibration least"), hint: "Smaller bins join their neighbour." }),
        o.length > 1 && /* @__PURE__ */ s($e, { label: "Show the other models in grey", checked: n.others, onChange: (f) => l({ others: f }) })
      ] })
    ] })
  ] });
}
function dh({ about: e, model: t }) {
  const n = k((c) => c.data), l = k((c) => c.calibration), r = Re(), o = e.attributes.map((c) => c.name);
  if (!o.length) return /* @__PURE__ */ s(T, { children: "The table has no column beside the predictions to make groups of." });
  const i = l.by !== null && o.includes(l.by) ? l.by : o[0], a = { data: n, calibration: l };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(
      ye,
      {
        question: Gl(a, t, i),
        title: `Calibration by ${i}`,
        controls: /* @__PURE__ */ s(M, { label: "Groups of", value: i, choices: o.map((c) => ({ value: c, label: c })), onChange: (c) => r({ by: c }) }),
        heading: !1
      }
    ),
    l.worst ? /* @__PURE__ */ s(ye, { question: Gl(a, t, null), title: "Worst slice", controls: /* @__PURE__ */ s("h3", { children: "Worst slice" }), heading: !1 }) : /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { onClick: () => r({ worst: !0 }), children: "Search the worst slice" }),
      /* @__PURE__ */ s(T, { children: "Looks at all groups and pairs of groups of all columns; the p-value knows how many." })
    ] })
  ] });
}
function hh({ about: e, model: t }) {
  const n = k((d) => d.data), l = k((d) => d.calibration), r = Re(), o = A({ kind: "recalibration", data: ne(n), model: t }), i = o.answer?.methods ?? [], a = i.find((d) => d.name === l.method), c = [{ value: "auto", label: "All that suit: take the best, if any helps" }, ...i.map((d) => ({ value: d.name, label: d.why_not === null ? d.title : `${d.title} – ${d.why_not}` }))], u = ih(e.name, l.method, t);
  return /* @__PURE__ */ s(x, { children: [
    o.error && /* @__PURE__ */ s(Z, { failure: o.error, retry: o.retry }),
    /* @__PURE__ */ s(
      ye,
      {
        question: oh({ data: n, calibration: l }, t),
        title: `Recalibration${t === null ? "" : ` of ${t}`}`,
        controls: /* @__PURE__ */ s(M, { label: "Method", value: l.method, choices: c, onChange: (d) => r({ method: d }), ...a ? { hint: `${a.text} ${a.source}.` } : {} }),
        heading: !1
      }
    ),
    /* @__PURE__ */ s("details", { children: [
      /* @__PURE__ */ s("summary", { children: "Do it on the command line or in Python" }),
      /* @__PURE__ */ s("p", { children: [
        "These rows must be ones that the model was not fitted on; ",
        /* @__PURE__ */ s("code", { children: "new.csv" }),
        " holds those to mend."
      ] }),
      /* @__PURE__ */ s("pre", { tabIndex: 0, "aria-label": "Command line", children: u.shell }),
      /* @__PURE__ */ s("pre", { tabIndex: 0, "aria-label": "Python", children: u.python })
    ] })
  ] });
}
const fh = [{ value: "auto", label: "The best of all (slower)" }, ...js], mh = [
  { value: "50", label: "Quick: 50 data sets a point" },
  { value: "", label: "Usual: 150 to 300 a point" }
];
function ph({ model: e }) {
  const t = k((f) => f.data), n = k((f) => f.calibration), l = te(), r = rh({ data: t, calibration: n }, e), [o, i] = _(r), [a, c] = _(l.known(r) !== void 0), u = JSON.stringify(o) === JSON.stringify(r);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(gh, {}),
    /* @__PURE__ */ s("div", { class: "row", children: [
      /* @__PURE__ */ s("button", { class: "primary", onClick: () => {
        i(r), c(!0);
      }, disabled: a && u, children: a ? "Plan again" : "Plan" }),
      /* @__PURE__ */ s(T, { children: a && !u ? "The plan below is of the settings before." : "Data sets are simulated from these predictions; it may take a minute." })
    ] }),
    a && /* @__PURE__ */ s(ye, { question: o, title: `Power and sample size${e === null ? "" : ` of ${e}`}`, heading: !1 })
  ] });
}
function gh() {
  const e = k((r) => r.calibration), t = Re(), n = Bs(e.effect), l = e.sizes[n.value] ?? n.size;
  return /* @__PURE__ */ s("div", { class: "cal-controls", children: [
    /* @__PURE__ */ s(M, { label: "Effect to detect", value: n.value, choices: un, onChange: (r) => t({ effect: r }) }),
    /* @__PURE__ */ s(z, { label: n.unit, value: l, min: n.min, ...n.max === void 0 ? {} : { max: n.max }, step: n.step, hint: n.hint, onChange: (r) => r !== null && t({ sizes: { ...e.sizes, [n.value]: r } }, "plan size") }),
    /* @__PURE__ */ s(z, { label: "Power", value: e.power, min: 0.06, max: 0.99, step: 0.05, onChange: (r) => r !== null && t({ power: r }, "plan power") }),
    /* @__PURE__ */ s(z, { label: "Level", value: e.level, min: 1e-3, max: 0.5, step: 0.01, onChange: (r) => r !== null && t({ level: r }, "plan level") }),
    /* @__PURE__ */ s(z, { label: "Rows", value: e.n, min: 2, step: 1, onChange: (r) => t({ n: r }, "plan rows"), hint: "Empty: as many as there are." }),
    /* @__PURE__ */ s(M, { label: "Planned test", value: e.planStatistic, choices: fh, onChange: (r) => t({ planStatistic: r }) }),
    /* @__PURE__ */ s(M, { label: "Simulation", value: e.datasets === null ? "" : String(e.datasets), choices: mh, onChange: (r) => t({ datasets: r === "" ? null : Number(r) }) })
  ] });
}
function ze({ name: e, title: t, text: n, children: l }) {
  const r = k((c) => c.calibration.open), o = Re(), i = r.includes(e), a = (c) => {
    c !== i && o({ open: c ? [...r, e] : r.filter((u) => u !== e) });
  };
  return /* @__PURE__ */ s("details", { class: "panel cal-section", open: i, onToggle: (c) => a(c.currentTarget.open), children: [
    /* @__PURE__ */ s("summary", { children: [
      /* @__PURE__ */ s("h2", { children: t }),
      /* @__PURE__ */ s("span", { class: "hint", children: n })
    ] }),
    i && /* @__PURE__ */ s("div", { class: "stack", children: l() })
  ] });
}
function bh({ about: e }) {
  const t = k((a) => a.data), n = k((a) => a.calibration), l = { data: t, calibration: n }, r = Wt(e, l), o = /* @__PURE__ */ s(ze, { name: "recalibration", title: "Recalibration", text: "Can the probabilities be mended, and by what?", children: () => /* @__PURE__ */ s(hh, { about: e, model: r }) });
  if (!e.has_prob)
    return /* @__PURE__ */ s("div", { class: "stack", children: [
      /* @__PURE__ */ s(vh, { about: e }),
      e.has_score && o
    ] });
  const i = r === null ? "" : ` of ${r}`;
  return /* @__PURE__ */ s("div", { class: "stack", children: [
    /* @__PURE__ */ s(uh, { about: e }),
    /* @__PURE__ */ s(ye, { question: Nr(l, r), title: `Reliability${i}` }),
    zn(e, l).length > 1 && /* @__PURE__ */ s(yh, { about: e }),
    /* @__PURE__ */ s(_h, { about: e }),
    /* @__PURE__ */ s(ze, { name: "diagnosis", title: "Diagnosis", text: "What is wrong, by how much, and what would mend it?", children: () => /* @__PURE__ */ s(ye, { question: nh(l, r), title: `Diagnosis${i}`, controls: /* @__PURE__ */ s(T, { children: "A test decides whether to speak; then the likeliest shape is named." }), heading: !1 }) }),
    /* @__PURE__ */ s(ze, { name: "groups", title: "Groups", text: "Is every group of rows calibrated?", children: () => /* @__PURE__ */ s(dh, { about: e, model: r }) }),
    /* @__PURE__ */ s(ze, { name: "sensitivity", title: "Sensitivity to bins", text: "How much does the error depend on the bins?", children: () => /* @__PURE__ */ s(ye, { question: lh(l, r), title: `Sensitivity to bins${i}`, controls: /* @__PURE__ */ s(T, { children: "The same error with 2 to 100 bins, each beside its own null of 199 draws." }), heading: !1 }) }),
    /* @__PURE__ */ s(ze, { name: "plan", title: "Power and sample size", text: "What could so many rows show, and how many would it take?", children: () => /* @__PURE__ */ s(ph, { model: r }) }),
    o
  ] });
}
function vh({ about: e }) {
  return /* @__PURE__ */ s("div", { class: "empty", children: [
    /* @__PURE__ */ s("h2", { children: "No probabilities to check" }),
    /* @__PURE__ */ s("p", { children: [
      "Calibration asks whether what was given a probability of 0.8 happens in 80 of 100 cases. ",
      e.has_score ? "This table holds ratings, which are no probabilities: they order the rows and say no more." : "This table holds predicted classes alone."
    ] }),
    /* @__PURE__ */ s("p", { children: e.has_score ? "Recalibration below turns ratings into probabilities; the other questions need a table with a probability column for each class." : "Open a table with a probability column for each class." })
  ] });
}
function yh({ about: e }) {
  const t = k((a) => a.data), n = k((a) => a.calibration), l = Re(), r = { data: t, calibration: n }, o = Wt(e, r), i = A(Nr(r, o), { delay: 120 });
  return !i.answer || i.error ? null : /* @__PURE__ */ s("section", { class: "block", "aria-label": "All chosen models", children: /* @__PURE__ */ s(
    j,
    {
      caption: "Calibration error of every chosen model, beside what true probabilities would score on the same rows",
      rows: i.answer.models,
      columns: [
        { title: "Model", value: (a) => /* @__PURE__ */ s("button", { class: "link", "aria-pressed": a.model === o, onClick: () => l({ model: a.model }), children: a.model }) },
        { title: "Rows", value: (a) => a.n },
        { title: "Error", value: (a) => a.value },
        { title: "If true", value: (a) => a.null_mean },
        { title: "95 % range", value: (a) => /* @__PURE__ */ s(Rn, { low: a.null_range[0], high: a.null_range[1] }) },
        { title: "Excess", value: (a) => a.excess },
        { title: "p", value: (a) => a.p_value }
      ]
    }
  ) });
}
function _h({ about: e }) {
  const t = k((u) => u.data), n = k((u) => u.calibration), l = Re(), { statistic: r, view: o } = n, i = Wt(e, { data: t, calibration: n }), a = `Could the probabilities${i === null ? "" : ` of ${i}`} be true?`, c = r !== "ece" && !lt(o);
  return /* @__PURE__ */ s(
    ye,
    {
      question: th({ data: t, calibration: n }, i),
      title: a,
      labels: e.n * e.k * n.resamples,
      controls: /* @__PURE__ */ s(x, { children: [
        /* @__PURE__ */ s(M, { label: "Test", value: r, choices: js, onChange: (u) => l({ statistic: u }) }),
        c && /* @__PURE__ */ s(T, { children: "This test does not know the view above; it looks at its usual one." })
      ] })
    }
  );
}
function wh(e) {
  const t = Se(e), n = k((u) => u.reading), l = A(Fn(t, n)), r = A(or(t, n), { delay: 80 }), o = kh(), i = n.optimum !== null && !l.stale && l.error === null ? l.answer?.results ?? [] : [], a = n.iso_cost !== null && r.error === null ? r.answer?.lines ?? [] : [];
  return { marks: [...i.flatMap((u) => $h(u, e, i.length > 1)), ...a.flatMap(Ch)], ...o ? { between: o } : {} };
}
function kh() {
  const e = $(), t = k((i) => i.reading.between), [n, l] = _(null);
  P(() => l(null), [t]);
  const r = n ?? ot(t, "number");
  if (r === null) return;
  const o = (i, a, c) => {
    l([i, a]), c && i < a && e.edit("reading", { between: [i, a] }, "between");
  };
  return { low: r[0], high: r[1], onMove: o };
}
function xh({ settings: e }) {
  const t = String(e.x).trim();
  return t === "threshold" || t === String(e.sort_by ?? "probability").trim();
}
function $h(e, t, n) {
  const { x: l, y: r } = e.point, o = n && e.model !== null ? `best: ${e.model}` : "best", i = l === null || r === null || !Number.isFinite(l) ? [] : [{ kind: "point", x: l, y: r, label: o }];
  if (!xh(t)) return [...e.stretches.flatMap(Sh), ...i];
  const [a, c] = Or(t);
  return [...e.stretches.map(
    (d) => ({ kind: "region", axis: "x", from: Math.max(a, ke(d.low) ?? a), to: Math.min(c, ke(d.high) ?? c), ...n ? {} : { label: "as good" } })
  ), ...i];
}
function Sh({ x: e, y: t }) {
  const n = [];
  for (let l = 1; l < e.length; l++)
    n.push({ kind: "segment", x: [e[l - 1], e[l]], y: [t[l - 1], t[l]], dash: "solid" });
  return n;
}
function Ch({ x: e, y: t, ends: n }) {
  return e === void 0 || t === void 0 || !n ? [] : [
    { kind: "segment", x: [n.x[0], n.x[1]], y: [n.y[0], n.y[1]], label: "equal cost", dash: "dashed" },
    { kind: "point", x: e, y: t, label: "cheapest" }
  ];
}
function Or(e) {
  let [t, n] = [1 / 0, -1 / 0];
  for (const l of e.lines)
    for (const r of l.threshold)
      Number.isFinite(r) && (r < t && (t = r), r > n && (n = r));
  return t <= n ? [t, n] : [0, 1];
}
function Xe({ title: e, open: t, onToggle: n, children: l }) {
  const r = U();
  return /* @__PURE__ */ s("section", { class: "panel reading-section", "aria-labelledby": `${r}-title`, children: [
    /* @__PURE__ */ s("h3", { children: /* @__PURE__ */ s("button", { id: `${r}-title`, class: "quiet disclose", "aria-expanded": t, ...t ? { "aria-controls": r } : {}, onClick: () => n(!t), children: [
      /* @__PURE__ */ s("span", { "aria-hidden": "true", class: "mark" }),
      e
    ] }) }),
    t && /* @__PURE__ */ s("div", { id: r, class: "stack", children: l })
  ] });
}
const Th = 0.1;
function Mh({ answer: e, about: t }) {
  const n = $(), l = k((i) => i.reading), [r, o] = t.models;
  return /* @__PURE__ */ s("section", { class: "stack reading-below", "aria-label": "More readings", children: [
    /* @__PURE__ */ s(Xe, { title: "Cases between two thresholds", open: l.between !== null, onToggle: (i) => n.edit("reading", { between: i ? Ah(e, n.state.threshold) : null }), children: /* @__PURE__ */ s(Qc, { answer: e, about: t }) }),
    /* @__PURE__ */ s(
      Xe,
      {
        title: "Compare two models",
        open: l.difference !== null,
        onToggle: (i) => n.edit("reading", { difference: i ? [r ?? "", o ?? ""] : null }),
        children: o === void 0 ? /* @__PURE__ */ s(T, { children: "This table has no second model to compare." }) : /* @__PURE__ */ s(lu, { answer: e, about: t })
      }
    ),
    /* @__PURE__ */ s(Xe, { title: "Subgroups", open: l.subgroups !== null, onToggle: (i) => n.edit("reading", { subgroups: i ? t.attributes[0]?.name ?? "" : null }), children: t.attributes.length === 0 ? /* @__PURE__ */ s(T, { children: "This table has no attributes to form groups by." }) : /* @__PURE__ */ s(Au, { answer: e, about: t }) })
  ] });
}
function Ah(e, t) {
  const [n, l] = Or(e), r = (l - n) * Th / 2, o = n <= 0.5 && l >= 0.5 && l <= 1 ? 0.5 : (n + l) / 2, i = Math.min(l - r, Math.max(n + r, t ?? o)), a = (c) => Number(c.toPrecision(3));
  return [a(i - r), a(i + r)];
}
function Nh({ answer: e, usual: t }) {
  const n = Dt() ?? t, l = Y(() => e.lines.map((c) => En(c.threshold)), [e]), r = Y(() => Bt(e.lines), [e]);
  if (n === null || l.every((c) => c.length === 0)) return null;
  const o = e.lines.map((c, u) => {
    const d = l[u], f = we(c.threshold, d, n), h = f < 0 ? null : d[f];
    return { name: c.name || "all rows", color: r[u], x: h === null ? null : c.x[h], y: h === null ? null : c.y[h] };
  }), i = e.x_names, a = e.y_title === e.x_title;
  return /* @__PURE__ */ s(
    j,
    {
      caption: a ? `On the curve: ${e.x_title}` : `On the curve: x is ${e.x_title}, y is ${e.y_title}`,
      rows: o,
      columns: [
        { title: "Line", value: (c) => /* @__PURE__ */ s("span", { class: "named", children: [
          /* @__PURE__ */ s(qn, { color: c.color }),
          c.name
        ] }) },
        { title: "x", value: (c) => i.length && c.x !== null ? i[c.x] ?? null : c.x },
        ...a ? [] : [{ title: "y", value: (c) => c.y }]
      ]
    }
  );
}
const Oh = 1e3;
function Eh({ reading: e }) {
  const t = xe(), l = Dt() ?? ke(e.threshold), r = U(), [o, i] = _(null), { low: a, high: c } = e;
  if (a === null || c === null) return null;
  const u = l === null ? c : Math.min(c, Math.max(a, l)), d = l === null || !Number.isFinite(l) ? "" : String(Number(l.toPrecision(6))), f = (h) => {
    i(null), h !== d && t.move(h === "" ? null : Number(h), !0);
  };
  return /* @__PURE__ */ s("div", { class: "threshold-control", children: [
    /* @__PURE__ */ s(ee, { label: e.probability ? "Threshold" : `Threshold on ${e.sort_by}`, children: (h) => /* @__PURE__ */ s("input", { id: h, type: "number", step: "any", value: o ?? d, placeholder: l === 1 / 0 ? "∞" : "", onInput: (m) => i(m.currentTarget.value), onBlur: () => i(null), onChange: (m) => f(m.currentTarget.value) }) }),
    /* @__PURE__ */ s("label", { class: "visually-hidden", for: r, children: "Move the threshold" }),
    /* @__PURE__ */ s(
      "input",
      {
        id: r,
        type: "range",
        min: a,
        max: c,
        step: c > a ? (c - a) / Oh : "any",
        value: u,
        onInput: (h) => t.move(h.currentTarget.valueAsNumber, !1),
        onChange: (h) => t.move(h.currentTarget.valueAsNumber, !0)
      }
    )
  ] });
}
const Ph = 80;
function Rh({ answer: e, about: t }) {
  const n = Uc(Se(e), vr(Ph)), l = A(n), r = l.answer;
  return /* @__PURE__ */ s("section", { class: "stack reading", "aria-label": "Reading", children: [
    /* @__PURE__ */ s("div", { class: "panel stack", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Reading" }),
        /* @__PURE__ */ s("span", { class: "tools", children: [
          /* @__PURE__ */ s(Ih, { about: t }),
          /* @__PURE__ */ s(de, { question: n, title: `Reading of ${e.title}` })
        ] })
      ] }),
      r && /* @__PURE__ */ s(Eh, { reading: r }),
      r && r.low !== null && /* @__PURE__ */ s(Lh, { answer: e, reading: r }),
      /* @__PURE__ */ s(Nh, { answer: e, usual: ke(r?.threshold) }),
      /* @__PURE__ */ s(I, { of: l, what: "Counting", children: (o) => /* @__PURE__ */ s(cr, { reading: o }) })
    ] }),
    /* @__PURE__ */ s(Dh, { answer: e }),
    r?.roc && /* @__PURE__ */ s(Fh, { answer: e })
  ] });
}
function Lh({ answer: e, reading: t }) {
  const n = xe(), l = $(), r = k((a) => a.reading), o = A(Fn(Se(e), r)).answer, i = ke(o?.results.find((a) => a.point.threshold !== null)?.point.threshold);
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    t.probability && /* @__PURE__ */ s("button", { onClick: () => n.move(0.5, !0), children: "0.5" }),
    r.optimum === null ? /* @__PURE__ */ s("button", { onClick: () => l.edit("reading", { optimum: "max" }), children: "Find the best" }) : /* @__PURE__ */ s("button", { disabled: i === null, onClick: () => n.move(i, !0), children: "Best" })
  ] });
}
function Ih({ about: e }) {
  const t = $(), [n, l] = e.models;
  return n === void 0 || l === void 0 ? null : /* @__PURE__ */ s("button", { onClick: () => t.edit("reading", { difference: t.state.reading.difference ?? [n, l] }), children: "Compare" });
}
function Dh({ answer: e }) {
  const t = $(), n = k((l) => l.reading.optimum !== null);
  return /* @__PURE__ */ s(Xe, { title: "Best threshold", open: n, onToggle: (l) => t.edit("reading", { optimum: l ? "max" : null }), children: /* @__PURE__ */ s(Cu, { answer: e }) });
}
function Fh({ answer: e }) {
  const t = $(), n = k((l) => l.reading.iso_cost !== null);
  return /* @__PURE__ */ s(Xe, { title: "Cost of errors", open: n, onToggle: (l) => t.edit("reading", { iso_cost: l ? { fp: 1, fn: 1 } : null }), children: [
    /* @__PURE__ */ s(T, { children: "Points on the dashed line cost the same; nothing on the curve lies above it." }),
    /* @__PURE__ */ s(su, { answer: e })
  ] });
}
function Ye({ label: e, value: t, choices: n, refused: l, hint: r, onChange: o }) {
  const i = l[t], a = n.filter((u) => u.value in l && u.value !== t), c = [...new Set(a.map((u) => l[u.value]))];
  return /* @__PURE__ */ s(ee, { label: e, ...r ? { hint: r } : {}, children: (u) => /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("select", { id: u, value: t, "aria-invalid": i ? !0 : void 0, "aria-describedby": `${u}-why`, onChange: (d) => o(d.currentTarget.value), children: n.map((d) => /* @__PURE__ */ s("option", { value: d.value, disabled: d.value in l && d.value !== t, children: d.label }, d.value)) }),
    /* @__PURE__ */ s("div", { id: `${u}-why`, class: "choice-why", children: [
      i && /* @__PURE__ */ s("p", { class: "choice-wrong", children: [
        qh(n, t),
        " cannot be had: ",
        i,
        "."
      ] }),
      !i && c.map((d) => /* @__PURE__ */ s("small", { children: [
        "Without ",
        jh(a.filter((f) => l[f.value] === d)),
        ": ",
        d,
        "."
      ] }, d))
    ] })
  ] }) });
}
const qh = (e, t) => e.find((n) => n.value === t)?.label ?? t, jh = (e) => e.map((t) => t.label.toLowerCase()).join(", "), Bh = [
  { value: "merge", label: "Merge data folds" },
  { value: "none", label: "None: a line a fold" },
  { value: "vertical", label: "Vertical averaging" },
  { value: "threshold", label: "Threshold averaging" },
  { value: "smooth", label: "Vertical smoothing (LOESS)" }
], Wh = [
  { value: "none", label: "None" },
  { value: "folds", label: "Spread over folds" },
  { value: "bootstrap", label: "Bootstrap" }
], Hh = [
  { value: "", label: "One target class" },
  { value: "per-class", label: "Each class: a line a class" },
  { value: "micro", label: "Micro average: all rows together" },
  { value: "macro", label: "Macro average: mean of the curves" }
];
function zh({ curve: e, set: t, about: n, drawn: l, hullReason: r }) {
  const o = $(), i = (c) => e[c] ?? l?.[c] ?? null, a = (c, u) => o.edit("curve", c, u ?? null);
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { class: "visually-hidden", children: "Folds, classes and bands" }),
    /* @__PURE__ */ s(Ye, { label: "Averaging", value: t.average, choices: Bh, refused: Ke("average", e, t, n), onChange: (c) => a({ average: c }) }),
    (t.average === "vertical" || t.average === "smooth") && /* @__PURE__ */ s(z, { label: "Points along x", value: i("points"), min: 2, max: 1e5, step: 1, onChange: (c) => a({ points: Kl(c) }, "points") }),
    t.average === "threshold" && /* @__PURE__ */ s(z, { label: "Thresholds", value: i("thresholds"), min: 2, max: 1e5, step: 1, onChange: (c) => a({ thresholds: Kl(c) }, "thresholds") }),
    t.average === "smooth" && /* @__PURE__ */ s(Uh, { value: i("span") ?? 0.5, onChange: (c) => a({ span: c }, "span") }),
    /* @__PURE__ */ s(Ye, { label: "Band", value: e.band, choices: Wh, refused: Ke("band", e, t, n), onChange: (c) => a({ band: c }) }),
    n.k > 2 && /* @__PURE__ */ s(Ye, { label: "Several classes", value: e.multiclass ?? "", choices: Hh, refused: Ke("multiclass", e, t, n), onChange: (c) => a({ multiclass: c || null }) }),
    /* @__PURE__ */ s($e, { label: "Convex hull", checked: e.hull, onChange: (c) => a({ hull: c }) }),
    e.hull && r && /* @__PURE__ */ s("small", { class: "choice-wrong", children: r })
  ] });
}
function Uh({ value: e, onChange: t }) {
  return /* @__PURE__ */ s("label", { class: "field span", children: [
    /* @__PURE__ */ s("span", { class: "label", children: "Share of the rows in the window" }),
    /* @__PURE__ */ s("span", { class: "row", children: [
      /* @__PURE__ */ s("input", { type: "range", min: 0.05, max: 1, step: 0.05, value: e, onInput: (n) => t(n.currentTarget.valueAsNumber) }),
      /* @__PURE__ */ s("output", { children: [
        Math.round(100 * e),
        " %"
      ] })
    ] })
  ] });
}
const Kl = (e) => e === null || Number.isNaN(e) ? null : Math.min(1e5, Math.max(2, Math.round(e)));
function Vh({ curve: e }) {
  const t = $();
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(je, { label: "x", part: "x", value: e.x ?? "", onChange: (n) => t.edit("curve", Nl("x", n), "x") }),
    /* @__PURE__ */ s(je, { label: "y", part: "y", value: e.y ?? "", onChange: (n) => t.edit("curve", Nl("y", n), "y") })
  ] });
}
function Gh({ curve: e }) {
  const t = $(), n = e.y2 !== null;
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s($e, { label: "Second y, on the right axis", checked: n, onChange: (l) => t.edit("curve", { y2: l ? "" : null }) }),
    n && /* @__PURE__ */ s(je, { label: "Second y", part: "y", value: e.y2 ?? "", placeholder: "a formula, such as precision", onChange: (l) => t.edit("curve", { y2: l }, "y2") })
  ] });
}
function Jh({ curve: e, x: t, y: n }) {
  const l = $();
  return /* @__PURE__ */ s("details", { class: "more", children: [
    /* @__PURE__ */ s("summary", { children: "Axis titles" }),
    /* @__PURE__ */ s(Ql, { label: "Title of the x axis", value: e.x_title, otherwise: t, onChange: (r) => l.edit("curve", { x_title: r }, "x_title") }),
    /* @__PURE__ */ s(Ql, { label: "Title of the y axis", value: e.y_title, otherwise: n, onChange: (r) => l.edit("curve", { y_title: r }, "y_title") })
  ] });
}
function Ql({ label: e, value: t, otherwise: n, onChange: l }) {
  return /* @__PURE__ */ s(ee, { label: e, children: (r) => /* @__PURE__ */ s("input", { id: r, value: t ?? "", placeholder: n, maxLength: 200, onInput: (o) => l(o.currentTarget.value || null) }) });
}
const Kh = [
  { value: "descending", label: "From high to low" },
  { value: "ascending", label: "From low to high" },
  { value: "unsorted", label: "No sorting" }
], Qh = [
  { value: "last", label: "Last value (ROC)" },
  { value: "average", label: "Average" },
  { value: "none", label: "No merge" }
], Xh = {
  last: "One point when the last of them is met: they share a threshold.",
  average: "One point, the mean of theirs.",
  none: "A point for every row, in an order that means nothing."
};
function Yh({ curve: e, set: t, about: n }) {
  const l = $(), r = n.has_prob ? "probability" : n.has_score ? "score" : "the classifier's answer", o = t.direction === "unsorted";
  return /* @__PURE__ */ s("fieldset", { children: [
    /* @__PURE__ */ s("legend", { class: "visually-hidden", children: "Order of the rows" }),
    /* @__PURE__ */ s(
      je,
      {
        label: "Sort data by",
        part: "sort_by",
        value: e.sort_by ?? "",
        placeholder: o ? "the order of the table" : t.sort_by ?? r,
        onChange: (i) => l.edit("curve", { sort_by: i.trim() ? i : null }, "sort_by")
      }
    ),
    /* @__PURE__ */ s(Ye, { label: "Direction", value: t.direction, choices: Kh, refused: Ke("direction", e, t, n), onChange: (i) => l.edit("curve", { direction: i }) }),
    /* @__PURE__ */ s(Ye, { label: "Merge rows of equal value", value: t.merge, choices: Qh, refused: {}, hint: Xh[t.merge], onChange: (i) => l.edit("curve", { merge: i }) })
  ] });
}
function Zh({ params: e }) {
  const t = $();
  if (!e.length) return null;
  const n = (l, r) => {
    if (!Number.isFinite(r)) return;
    const o = { ...t.state.curve.params, [l]: r };
    t.edit("curve", { params: o }, `param ${l}`);
  };
  return /* @__PURE__ */ s("fieldset", { class: "params", children: [
    /* @__PURE__ */ s("legend", { children: "Parameters" }),
    e.map((l) => /* @__PURE__ */ s(ef, { param: l, onChange: (r) => n(l.name, r) }, l.name))
  ] });
}
function ef({ param: e, onChange: t }) {
  const n = U(), { low: l, high: r, step: o } = Qa(e.default, e.value);
  return /* @__PURE__ */ s("div", { class: "param", children: [
    /* @__PURE__ */ s("label", { for: n, children: e.name }),
    /* @__PURE__ */ s("input", { id: n, type: "range", min: l, max: r, step: o, value: e.value, onInput: (i) => t(i.currentTarget.valueAsNumber) }),
    /* @__PURE__ */ s("input", { type: "number", step: "any", "aria-label": `${e.name}, value`, value: e.value, onInput: (i) => t(i.currentTarget.valueAsNumber) })
  ] });
}
const gt = "";
function tf({ curve: e, preset: t, vocabulary: n, about: l }) {
  const r = $(), o = (i) => {
    if (i === gt) {
      t && r.edit("curve", Ka(e, t, n));
      return;
    }
    const a = n.presets.find((c) => c.name === i)?.needs === "x";
    r.edit("curve", Js(e, i, a ? l.attributes[0]?.name ?? "probability" : null));
  };
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(ee, { label: "Preset or user-defined formula", children: (i) => /* @__PURE__ */ s("select", { id: i, value: e.preset ?? gt, onChange: (a) => o(a.currentTarget.value), children: [
      /* @__PURE__ */ s("option", { value: gt, children: "User-defined formula" }),
      /* @__PURE__ */ s("optgroup", { label: "Presets", children: n.presets.map((a) => /* @__PURE__ */ s("option", { value: a.name, disabled: a.needs === "x" && !l.attributes.length, children: a.title }, a.name)) })
    ] }) }),
    t?.needs === "x" && /* @__PURE__ */ s(M, { label: "Column on the x axis", value: e.x ?? "", choices: l.attributes.map((i) => ({ value: i.name, label: i.name })), onChange: (i) => r.edit("curve", { x: i }) }),
    t && /* @__PURE__ */ s(nf, { curve: e, preset: t, onEdit: () => o(gt) })
  ] });
}
function nf({ curve: e, preset: t, onEdit: n }) {
  return /* @__PURE__ */ s("div", { class: "preset-formulas", children: [
    /* @__PURE__ */ s("dl", { class: "facts", children: [
      /* @__PURE__ */ s("dt", { children: "x" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s("code", { children: e.x ?? t.x }) }),
      /* @__PURE__ */ s("dt", { children: "y" }),
      /* @__PURE__ */ s("dd", { children: /* @__PURE__ */ s("code", { children: e.y ?? t.y }) })
    ] }),
    /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Edit the formulas" })
  ] });
}
function lf({ about: e, answer: t, second: n, stale: l, waiting: r, compute: o }) {
  const i = $(), a = it(), c = k((m) => m.curve), u = Gs(a, c), d = t && !l ? t.settings : void 0, f = Ks(c, u, d);
  return /* @__PURE__ */ s("aside", { class: "panel curve-panel", "aria-label": "Curve", children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { children: "Curve" }),
      /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => i.edit("curve", Mn), children: "Reset" })
    ] }),
    /* @__PURE__ */ s(tf, { curve: c, preset: u, vocabulary: a, about: e }),
    c.preset === null && /* @__PURE__ */ s(Vh, { curve: c }),
    /* @__PURE__ */ s(Zh, { params: sf(t, n, c.params) }),
    /* @__PURE__ */ s(Gh, { curve: c }),
    /* @__PURE__ */ s(Jh, { curve: c, x: t?.x_title ?? "", y: t?.y_title ?? "" }),
    /* @__PURE__ */ s("details", { class: "more", open: c.preset === null, children: [
      /* @__PURE__ */ s("summary", { children: "Order and merging" }),
      /* @__PURE__ */ s(Yh, { curve: c, set: f, about: e })
    ] }),
    /* @__PURE__ */ s("details", { class: "more", open: !0, children: [
      /* @__PURE__ */ s("summary", { children: "Averaging, bands and classes" }),
      /* @__PURE__ */ s(zh, { curve: c, set: f, about: e, drawn: t?.settings, hullReason: t && !l ? t.hull_reason : null })
    ] }),
    r && /* @__PURE__ */ s("div", { class: "pending", role: "status", children: [
      /* @__PURE__ */ s("p", { children: "This may take a while, so it waits for you." }),
      /* @__PURE__ */ s("button", { type: "button", class: "primary", onClick: o, children: "Compute" })
    ] })
  ] });
}
function sf(e, t, n) {
  return [...new Map([...t?.params ?? [], ...e?.params ?? []].map((r) => [r.name, r])).values()].map((r) => ({ ...r, value: n[r.name] ?? r.default }));
}
const rf = /* @__PURE__ */ new Set(), bt = 5;
function of({ series: e, square: t, scale: n, width: l = 120, height: r = 80 }) {
  const o = N(null), i = Ls(o), a = t ? Math.min(l, r) : l, c = Y(() => {
    const u = e.map((d) => ({ ...d, thin: !0, dash: d.guide ? "dashed" : "solid" }));
    return Rs(u, af(u, { width: a, height: r, square: t, scale: n }));
  }, [e, a, r, t, n]);
  return Ee(() => {
    const u = Os(o.current, a, r);
    u && Es(c, { ctx: u, ink: Ns(o.current), lit: null }, rf);
  }, [c, i]), /* @__PURE__ */ s("canvas", { ref: o, class: "chart-thumb", "aria-hidden": "true", style: { width: `${a}px`, height: `${r}px` } });
}
function af(e, { width: t, height: n, square: l, scale: r }) {
  const o = e.some((u) => !u.guide && u.x.length) ? e.filter((u) => !u.guide) : e, i = { kind: r, square: l }, a = Fe(Je(o.map((u) => u.x), i), bt, t - bt), c = Fe(Je(o.map((u) => u.y), i), n - bt, bt);
  return { width: t, height: n, left: 0, right: t, top: 0, bottom: n, x: a, y: c, right2: null, xTicks: [], yTicks: [], rightTicks: [], turned: !1 };
}
function cf({ about: e, ready: t }) {
  const [n, l] = _(!1), [r, o] = _(!1);
  return /* @__PURE__ */ s(
    "details",
    {
      class: "panel gallery",
      open: n,
      onToggle: (i) => {
        l(i.currentTarget.open), i.currentTarget.open && o(!0);
      },
      children: [
        /* @__PURE__ */ s("summary", { children: "Gallery: every preset on your data" }),
        r && /* @__PURE__ */ s(uf, { about: e, ready: t && n, onChoose: () => l(!1) })
      ]
    }
  );
}
function uf({ about: e, ready: t, onChoose: n }) {
  const l = $(), { presets: r } = it(), o = k((h) => h.data), i = k((h) => h.curve.preset), [a, c] = _(e.attributes[0]?.name ?? null), u = JSON.stringify(ne(o)), d = hf(r, a, u, t), f = (h) => {
    const m = Js(l.state.curve, h.name, h.needs === "x" ? a : null);
    l.edit("curve", m), n();
  };
  return /* @__PURE__ */ s(x, { children: [
    e.attributes.length > 0 && /* @__PURE__ */ s("div", { class: "gallery-column", children: /* @__PURE__ */ s(M, { label: "Column for the curves that are drawn against one", value: a ?? "", choices: e.attributes.map(({ name: h }) => ({ value: h, label: h })), onChange: c }) }),
    /* @__PURE__ */ s("ul", { class: "gallery-grid", "aria-label": "Presets", children: r.map((h) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", class: "gallery-card", "aria-current": i === h.name ? "true" : void 0, disabled: h.needs === "x" && a === null, onClick: () => f(h), children: [
      /* @__PURE__ */ s("span", { class: "gallery-picture", children: /* @__PURE__ */ s(df, { picture: d[h.name], missing: h.needs === "x" && a === null }) }),
      /* @__PURE__ */ s("strong", { children: h.title }),
      /* @__PURE__ */ s("span", { class: "gallery-words", children: gf(h.explanation) })
    ] }) }, h.name)) })
  ] });
}
function df({ picture: e, missing: t }) {
  return t ? /* @__PURE__ */ s("small", { children: "The table has no column to draw it against." }) : e === void 0 ? /* @__PURE__ */ s("small", { "aria-hidden": "true", children: "…" }) : "why" in e ? /* @__PURE__ */ s("small", { class: "gallery-why", children: [
    "Undefined here: ",
    e.why
  ] }) : /* @__PURE__ */ s(of, { series: e.series, square: e.square, ...e.scale ? { scale: e.scale } : {} });
}
function hf(e, t, n, l) {
  const r = te(), [o, i] = _({});
  return P(() => {
    if (!l) return;
    const a = new AbortController();
    return (async () => {
      for (const u of e) {
        if (u.needs === "x" && t === null) continue;
        const d = await mf(r, ff(u, t, n), a.signal);
        if (a.signal.aborted) return;
        i((f) => ({ ...f, [u.name]: d }));
      }
    })(), () => a.abort();
  }, [r, e, t, n, l]), o;
}
const ff = (e, t, n) => ({
  kind: "curve",
  data: JSON.parse(n),
  curve: { preset: e.name, ...e.needs === "x" ? { x: t } : {} },
  width: 120,
  thumb: !0
});
async function mf(e, t, n) {
  try {
    const l = await e.ask(t, { signal: n }), r = hn(l);
    return r.length ? { series: [...r.map((o) => pf(o, l)), ...Hs(l.guides)], square: l.square, scale: l.scale } : { why: l.lines.find((o) => o.reason)?.reason ?? "no point is defined" };
  } catch (l) {
    return { why: se(l).message };
  }
}
function pf(e, t) {
  if (!t.square && t.floor === null) return e;
  const n = (c) => !t.square || c >= -0.01 && c <= 1.01, l = t.floor ?? -1 / 0, r = (c) => c.filter((u, d) => n(e.x[d]) && n(e.y[d]) && e.y[d] >= l), { path: o, threshold: i, ...a } = e;
  return { ...a, x: r(e.x), y: r(e.y) };
}
const gf = (e) => /^.*?[.](?= |$)/.exec(e)?.[0] ?? e, bf = /depends on the threshold, and the rows are/;
function vf({ about: e }) {
  const { found: t, question: n, waiting: l, compute: r, problem: o } = sc(e), i = dn(n), a = A(i), c = i === null ? null : a.answer, u = Object.values(o);
  return /* @__PURE__ */ s("div", { class: "curves-room", children: [
    /* @__PURE__ */ s(lf, { about: e, answer: t.answer, second: c, stale: t.stale, waiting: l, compute: r }),
    /* @__PURE__ */ s("div", { class: "stack curves-main", children: [
      /* @__PURE__ */ s(cf, { about: e, ready: t.answer !== null && !t.busy }),
      u.length > 0 && /* @__PURE__ */ s("p", { class: "notice", children: [
        "Not drawn yet: ",
        u.join("; "),
        "."
      ] }),
      /* @__PURE__ */ s(_f, { found: t }),
      /* @__PURE__ */ s("div", { class: l ? "curve-pending" : void 0, children: /* @__PURE__ */ s(I, { of: wf(t), what: "Drawing the curve", children: ({ curve: d }) => /* @__PURE__ */ s(yf, { answer: d, second: c, question: n, about: e }) }) }),
      a.error && i !== null && /* @__PURE__ */ s("p", { class: "notice", children: [
        "Second y: ",
        a.error.message
      ] })
    ] })
  ] });
}
function yf({ answer: e, second: t, question: n, about: l }) {
  const { marks: r, between: o } = wh(e);
  return /* @__PURE__ */ s("div", { class: "curve-and-reading", children: [
    /* @__PURE__ */ s(Vs, { answer: e, second: t, question: n, marks: r, ...o ? { between: o } : {} }),
    /* @__PURE__ */ s("div", { class: "curve-beside", children: /* @__PURE__ */ s(Rh, { answer: e, about: l }) }),
    /* @__PURE__ */ s("div", { class: "curve-below", children: /* @__PURE__ */ s(Mh, { answer: e, about: l }) })
  ] });
}
function _f({ found: e }) {
  const t = $();
  return e.error?.kind !== "formula" || !bf.test(e.error.message) ? null : /* @__PURE__ */ s("p", { children: /* @__PURE__ */ s("button", { type: "button", onClick: () => t.edit("curve", { sort_by: null, direction: null }), children: "Sort by probability" }) });
}
const wf = (e) => ({ ...e, answer: e.answer && { curve: e.answer } }), Er = (e, t) => t.k > 2 && e.matrix.against ? e.data.target ?? t.positive : null;
function Pr(e, t, n) {
  const l = Er(e, t), r = t.k === 2 || l !== null, o = n === null || Number.isFinite(n) ? n : n > 0 ? "inf" : "-inf";
  return { threshold: r ? o : null, target: l };
}
function kf(e, t, n) {
  const { shares: l, interval: r, level: o } = e.matrix;
  return { kind: "confusion", data: ne(e.data), ...Pr(e, t, n), normalize: l, interval: r, level: o };
}
function xf(e, t, n, l) {
  return { kind: "cell", data: ne(e.data), ...Pr(e, t, n), ...l };
}
const $f = 200;
function Sf({ about: e, cell: t, threshold: n, close: l }) {
  const r = k((u) => u.data), o = k((u) => u.matrix), i = xf({ data: r, matrix: o }, e, n, t), a = A({ ...i, most: $f }, { delay: 50 }), c = N(null);
  return P(() => c.current?.scrollIntoView({ block: "nearest" }), [t]), /* @__PURE__ */ s("section", { class: "block cell-rows", "aria-label": "Rows of a cell", children: [
    /* @__PURE__ */ s("header", { children: [
      /* @__PURE__ */ s("h2", { ref: c, children: `Actual ${t.actual}, predicted ${t.predicted}${t.model === null ? "" : `, by ${t.model}`}` }),
      /* @__PURE__ */ s("div", { class: "tools", children: [
        a.answer && !a.stale && /* @__PURE__ */ s(Mf, { answer: a.answer }),
        /* @__PURE__ */ s(ue, { question: i, name: "rows of this cell" }),
        /* @__PURE__ */ s("button", { onClick: l, children: "Close" })
      ] })
    ] }),
    /* @__PURE__ */ s(I, { of: a, what: "Looking up the rows", children: (u) => /* @__PURE__ */ s(Tf, { answer: u }) })
  ] });
}
const Cf = { line: "Table row", row: "Example", fold: "Fold", repeat: "Repeat", actual: "Actual", predicted: "Predicted", weight: "Weight" };
function Tf({ answer: e }) {
  if (e.count === 0) return /* @__PURE__ */ s(T, { children: "No row is in this cell." });
  const t = Array.from({ length: e.shown }, (n, l) => l);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("p", { role: "status", children: `${E(e.count, "row")}${e.shown < e.count ? `, the first ${e.shown} shown` : ""}; ${e.order}.` }),
    /* @__PURE__ */ s(
      j,
      {
        caption: `Rows answered by ${e.decision}`,
        columns: e.columns.map((n) => ({
          title: Cf[n.name] ?? n.name,
          value: (l) => n.values[l] ?? null
        })),
        rows: t
      }
    )
  ] });
}
function Mf({ answer: e }) {
  const [t, n] = _("Copy rows");
  P(() => n("Copy rows"), [e]);
  const l = async () => {
    try {
      await navigator.clipboard.writeText(Af(e)), n("Copied");
    } catch {
      n("The browser does not allow it");
    }
  };
  return /* @__PURE__ */ s("button", { disabled: e.shown === 0, onClick: () => void l(), children: t });
}
const Xl = (e) => {
  if (typeof e == "number") return String(e);
  const t = (e ?? "").replace(/[\t\r\n]+/g, " ");
  return /^[=+\-@]/.test(t) ? `'${t}` : t;
};
function Af(e) {
  const t = [e.columns.map((n) => Xl(n.name)).join("	")];
  for (let n = 0; n < e.shown; n++) t.push(e.columns.map((l) => Xl(l.values[n])).join("	"));
  return t.join(`
`);
}
const Nf = [
  { value: "none", label: "Counts" },
  { value: "actual", label: "Shares of the actual class" },
  { value: "predicted", label: "Shares of the predicted class" },
  { value: "all", label: "Shares of all rows" }
], Of = [
  { value: "auto", label: "What fits the rows" },
  { value: "wilson", label: "Wilson's, of shares of rows" },
  { value: "bootstrap", label: "Bootstrap, of every rate" },
  { value: "none", label: "None" }
], Ef = [0.8, 0.9, 0.95, 0.99];
function Pf({ about: e }) {
  const { shares: t, interval: n, level: l, against: r } = k((u) => u.matrix), o = k((u) => u.data.target), i = $(), a = (u) => i.edit("matrix", u), c = (u) => {
    const d = e.classes.findIndex((f) => `class ${f.name}` === u);
    i.change({
      matrix: { ...i.state.matrix, against: d >= 0, cell: null },
      ...d >= 0 ? { data: { ...i.state.data, target: e.classes[d].name } } : {}
    });
  };
  return /* @__PURE__ */ s("div", { class: "controls", children: [
    e.k > 2 && /* @__PURE__ */ s(
      M,
      {
        label: "Classes",
        value: r ? `class ${o ?? e.positive}` : "all",
        choices: [{ value: "all", label: `All ${e.k}` }, ...e.classes.map((u) => ({ value: `class ${u.name}`, label: `${u.name} against the rest` }))],
        onChange: c
      }
    ),
    /* @__PURE__ */ s(M, { label: "Cells show", value: t, choices: Nf, onChange: (u) => a({ shares: u }) }),
    /* @__PURE__ */ s(M, { label: "Interval of the rates", value: n, choices: Of, onChange: (u) => a({ interval: u }) }),
    /* @__PURE__ */ s(
      M,
      {
        label: "Level of the intervals",
        value: String(l),
        choices: [.../* @__PURE__ */ new Set([...Ef, l])].sort().map((u) => ({ value: String(u), label: `${100 * u} %` })),
        onChange: (u) => a({ level: Number(u) })
      }
    )
  ] });
}
const Rf = 1e3;
function Lf({ about: e, range: t }) {
  const n = k((p) => p.data), l = k((p) => p.matrix), r = Dt(), o = xe(), i = Er({ data: n, matrix: l }, e);
  if (e.k > 2 && i === null)
    return /* @__PURE__ */ s(T, { children: "Every row is answered with its most probable class, or as its column “predicted” says. A threshold parts one class from the rest: choose it under Classes." });
  if (!e.has_prob && !e.has_score) return /* @__PURE__ */ s(T, { children: "The table holds answers without ratings, so no threshold decides." });
  const a = i ?? n.target ?? e.positive, c = e.has_prob ? `probability of ${a}` : `rating of ${a}`, [u, d] = t ? [t.low, t.high] : [0, 1], f = r === null ? (u + d) / 2 : Math.min(d, Math.max(u, r)), h = (p) => p === "" ? o.move(null, !0) : m(p, !0), m = (p, g) => {
    const b = Number(p);
    p !== "" && !Number.isNaN(b) && o.move(b, g);
  };
  return /* @__PURE__ */ s("div", { class: "threshold-bar", children: [
    /* @__PURE__ */ s(ee, { label: "Threshold", hint: `Answered ${a} where the ${c} is at least this.`, children: (p) => /* @__PURE__ */ s(
      "input",
      {
        id: p,
        type: "range",
        min: u,
        max: d,
        step: (d - u) / Rf || "any",
        value: f,
        "aria-valuetext": r === null ? "none: the answers as given" : String(r),
        onInput: (g) => m(g.currentTarget.value, !1),
        onChange: (g) => m(g.currentTarget.value, !0)
      }
    ) }),
    /* @__PURE__ */ s(ee, { label: "Threshold as a number", children: (p) => /* @__PURE__ */ s("input", { id: p, type: "number", step: "any", value: r === null || !Number.isFinite(r) ? "" : r, placeholder: "as answered", onChange: (g) => h(g.currentTarget.value), onKeyDown: (g) => g.key === "Enter" && h(g.currentTarget.value) }) }),
    /* @__PURE__ */ s("button", { disabled: r === null, onClick: () => o.move(null, !0), children: "Use the answers given" })
  ] });
}
function If(e, t) {
  const [n, l] = _(e), r = N(0);
  return P(() => {
    const o = r.current + t - performance.now(), i = () => {
      r.current = performance.now(), l(() => e);
    };
    if (o <= 0) {
      i();
      return;
    }
    const a = setTimeout(i, o);
    return () => clearTimeout(a);
  }, [e, t]), n;
}
const Df = 100;
function Ff({ about: e }) {
  const t = k((u) => u.data), n = k((u) => u.matrix), l = $(), r = If(Dt(), Df), i = kf({ data: t, matrix: n }, e, r), a = A(i), c = (u) => l.edit("matrix", { cell: u });
  return /* @__PURE__ */ s("div", { class: "matrix-room", children: [
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Confusion matrix", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Confusion matrix" }),
        /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(de, { question: i, title: "Confusion matrix" }),
          /* @__PURE__ */ s(ue, { question: i, name: "confusion matrix" })
        ] })
      ] }),
      /* @__PURE__ */ s(Pf, { about: e }),
      /* @__PURE__ */ s(Lf, { about: e, range: a.answer?.range ?? null }),
      /* @__PURE__ */ s(I, { of: a, what: "Counting", children: (u) => /* @__PURE__ */ s(tr, { answer: u, shares: n.shares, picked: n.cell, onPick: c }) })
    ] }),
    n.cell && /* @__PURE__ */ s(Sf, { about: e, cell: n.cell, threshold: r, close: () => l.edit("matrix", { cell: null }) })
  ] });
}
const Ae = "", qf = [0.8, 0.9, 0.95, 0.99], jf = { holm: "Holm", "benjamini-hochberg": "Benjamini and Hochberg", none: "not adjusted" };
function Bf({ choices: e, names: t }) {
  const n = k((a) => a.models), l = $(), r = (a) => l.edit("models", a), [o] = _(() => n.groups !== "" || n.after !== "" || n.rope !== null || n.test_share !== null), i = [.../* @__PURE__ */ new Set([...qf, n.level])].sort();
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("div", { class: "controls", children: [
      /* @__PURE__ */ s(M, { label: "Metric", value: n.metric ?? e.usual, choices: e.metrics.map((a) => ({ value: a.name, label: `${at(a.title)} – ${a.best}` })), onChange: (a) => r({ metric: a === e.usual ? null : a }) }),
      /* @__PURE__ */ s(Hf, { names: t, pair: n.pair, onChange: (a) => r({ pair: a }) }),
      /* @__PURE__ */ s(M, { label: "Test", value: n.test ?? Ae, choices: Wf(e, t.length), onChange: (a) => r({ test: a || null }) }),
      /* @__PURE__ */ s(M, { label: "Data sets are told apart by", value: n.over, choices: [{ value: Ae, label: "nothing: one data set" }, ...Ze(e.attributes)], onChange: (a) => r({ over: a, test: null }) })
    ] }),
    /* @__PURE__ */ s("details", { class: "more", open: o, children: [
      /* @__PURE__ */ s("summary", { children: "More settings" }),
      /* @__PURE__ */ s("div", { class: "controls", children: [
        /* @__PURE__ */ s(M, { label: "Level of the intervals", value: String(n.level), choices: i.map((a) => ({ value: String(a), label: `${100 * a} %` })), onChange: (a) => r({ level: Number(a) }) }),
        /* @__PURE__ */ s(M, { label: "Adjust p-values", value: n.adjust, choices: e.adjustments.map((a) => ({ value: a, label: jf[a] ?? a })), onChange: (a) => r({ adjust: a }) }),
        /* @__PURE__ */ s(M, { label: "Rows belong together by", value: n.groups, choices: [{ value: Ae, label: "nothing: each for itself" }, ...Ze(e.attributes)], onChange: (a) => r({ groups: a }) }),
        /* @__PURE__ */ s(M, { label: "Also after recalibration by", value: n.after, choices: [{ value: Ae, label: "no method" }, ...Ze(e.recalibrations)], onChange: (a) => r({ after: a }) }),
        /* @__PURE__ */ s(z, { label: "Share of the rows in each test part", hint: "Empty: as the folds tell.", value: n.test_share, min: 0, max: 1, onChange: (a) => r({ test_share: a }) }),
        /* @__PURE__ */ s(z, { label: "Differences that make none in practice", hint: "In the metric's unit; empty: none is named.", value: n.rope, min: 0, onChange: (a) => r({ rope: a }) })
      ] })
    ] })
  ] });
}
const Ze = (e) => e.map((t) => ({ value: t, label: t }));
function Wf(e, t) {
  const n = e.tests.filter((r) => r.answer !== "refused" && (r.name !== "friedman" || t > 2)), l = (r, o) => o === "fits" ? r : `${r} – too optimistic here`;
  return [{ value: Ae, label: "The one that fits best" }, ...n.map((r) => ({ value: r.name, label: at(l(r.title, r.answer)) }))];
}
function Hf({ names: e, pair: t, onChange: n }) {
  if (e.length < 3) return null;
  const l = (r) => e.filter((o) => o !== r);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s(
      M,
      {
        label: "Models",
        value: t?.[0] ?? Ae,
        choices: [{ value: Ae, label: `all ${e.length}, every pair` }, ...Ze(e)],
        onChange: (r) => n(r ? [r, t && t[1] !== r ? t[1] : l(r)[0]] : null)
      }
    ),
    t && /* @__PURE__ */ s(M, { label: "Against", value: t[1], choices: Ze(l(t[0])), onChange: (r) => n([t[0], r]) })
  ] });
}
const zf = 999, Uf = 2e5, Rr = (e, t) => e.models.ranges ?? t.n <= Uf;
function Vf(e, t) {
  const { bins: n, view: l, level: r } = e.models;
  return {
    kind: "scores",
    data: ne(e.data),
    ...n ? { bins: n } : {},
    ...l ? { view: l } : {},
    level: r,
    resamples: Rr(e, t) ? zf : 0
  };
}
function Gf(e, t, n) {
  const { metric: l, pair: r, test: o, over: i, groups: a, after: c, rope: u, test_share: d, adjust: f, level: h } = e.models, m = n > 2 && t ? e.data.target : null;
  return {
    kind: "compare",
    data: ne(e.data),
    ...l ? { metric: l } : {},
    ...r ? { models: r } : {},
    ...o ? { test: o } : {},
    ...i ? { over: i } : {},
    ...a ? { groups: a } : {},
    ...c ? { after: c } : {},
    ...u !== null ? { rope: u } : {},
    ...d !== null ? { test_share: d } : {},
    ...m ? { target: m } : {},
    adjust: f,
    level: h
  };
}
const Jf = (e) => ({
  kind: "comparable",
  data: ne(e.data),
  ...e.models.over ? { over: e.models.over } : {}
});
function Kf(e) {
  const t = {};
  for (const n of new Set(e.pairs.map((l) => l.metric))) {
    const l = e.pairs.filter((o) => o.metric === n && !o.after), r = e.models.find((o) => {
      const i = l.filter((a) => a.models.includes(o));
      return i.length === e.models.length - 1 && i.every((a) => a.better === o);
    });
    r !== void 0 && (t[n] = r);
  }
  return t;
}
const Qf = [
  ["", "15 of equal width (usual)"],
  ["equal-width:5", "5 of equal width"],
  ["equal-width:10", "10 of equal width"],
  ["equal-width:20", "20 of equal width"],
  ["equal-size:5", "5 of equal size"],
  ["equal-size:10", "10 of equal size"],
  ["equal-size:15", "15 of equal size"],
  ["equal-size:20", "20 of equal size"]
];
function Xf({ about: e, ranges: t }) {
  const { bins: n, view: l } = k((i) => i.models), r = $();
  if (!e.has_prob) return null;
  const o = [
    { value: "", label: e.k === 2 ? "The positive class (usual)" : "The top label (usual)" },
    { value: e.k === 2 ? "top-label" : "classwise", label: e.k === 2 ? "The top label" : "Class by class" }
  ];
  return /* @__PURE__ */ s("div", { class: "controls", children: [
    /* @__PURE__ */ s(M, { label: "Bins of the calibration error", value: n, choices: Qf.map(([i, a]) => ({ value: i, label: a })), onChange: (i) => r.edit("models", { bins: i }) }),
    /* @__PURE__ */ s(M, { label: "View of the calibration error", value: l, choices: o, onChange: (i) => r.edit("models", { view: i }) }),
    /* @__PURE__ */ s($e, { label: "Show what true probabilities would score", checked: t, onChange: (i) => r.edit("models", { ranges: i }) })
  ] });
}
function Yf({ about: e }) {
  const t = k((h) => h.data), n = k((h) => h.models), l = $(), r = (t.models ?? e.models).length > 1, o = A(r ? Jf({ data: t, models: n }) : null), i = o.answer?.metrics.find((h) => h.name === (n.metric ?? o.answer?.usual)), a = Gf({ data: t, models: n }, i?.of_one_class ?? !1, e.k), c = A(r && o.answer ? a : null, { delay: 150 }), u = c.answer && !c.stale ? Kf(c.answer) : {}, d = Vf({ data: t, models: n }, e), f = i?.title ?? "values";
  return P(() => {
    const h = t.models ?? e.models;
    n.pair && !n.pair.every((m) => h.includes(m)) && l.edit("models", { pair: null });
  }, [t.models, n.pair]), /* @__PURE__ */ s("div", { class: "models-room", children: [
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Scores", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Scores" }),
        /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(de, { question: d, title: "Scores" }),
          /* @__PURE__ */ s(ue, { question: d, name: "scores" })
        ] })
      ] }),
      /* @__PURE__ */ s(Xf, { about: e, ranges: Rr({ models: n }, e) }),
      /* @__PURE__ */ s(rr, { question: d, best: u })
    ] }),
    /* @__PURE__ */ s("section", { class: "block", "aria-label": "Comparison", children: [
      /* @__PURE__ */ s("header", { children: [
        /* @__PURE__ */ s("h2", { children: "Comparison" }),
        r && /* @__PURE__ */ s("div", { class: "tools", children: [
          /* @__PURE__ */ s(de, { question: a, title: `Comparison by ${f}` }),
          /* @__PURE__ */ s(ue, { question: a, name: "comparison" })
        ] })
      ] }),
      r ? /* @__PURE__ */ s(I, { of: o, what: "Looking at the design", children: (h) => /* @__PURE__ */ s(x, { children: [
        /* @__PURE__ */ s(Bf, { choices: h, names: t.models ?? e.models }),
        /* @__PURE__ */ s(I, { of: c, what: "Comparing the models", children: (m) => /* @__PURE__ */ s(sr, { answer: m, title: f }) })
      ] }) }) : /* @__PURE__ */ s(T, { children: "A comparison needs two models of the same rows: a table with a column “model”, of which at least two are chosen in the data panel." })
    ] })
  ] });
}
const St = {
  curves: "Curves",
  calibration: "Calibration",
  models: "Models",
  matrix: "Confusion matrix",
  board: "Board"
}, Zf = {
  curves: vf,
  calibration: bh,
  models: Yf,
  matrix: Ff,
  board: Jd
}, Lr = ["system", "light", "dark"], Ir = "plumbline-theme", em = "(prefers-color-scheme: dark)";
class tm {
  constructor(t) {
    this.root = t, this.chosen = nm(), this.system.addEventListener("change", this.show), this.show();
  }
  chosen;
  listeners = /* @__PURE__ */ new Set();
  system = matchMedia(em);
  choose(t) {
    this.chosen = t;
    try {
      localStorage.setItem(Ir, t);
    } catch {
    }
    this.show();
  }
  subscribe(t) {
    return this.listeners.add(t), () => this.listeners.delete(t);
  }
  stop() {
    this.system.removeEventListener("change", this.show);
  }
  show = () => {
    const t = this.chosen === "dark" || this.chosen === "system" && this.system.matches;
    this.root.dataset.theme = t ? "dark" : "light";
    for (const n of [...this.listeners]) n();
  };
}
function nm() {
  try {
    const e = localStorage.getItem(Ir);
    return e !== null && Lr.includes(e) ? e : "system";
  } catch {
    return "system";
  }
}
const lm = { system: "System", light: "Light", dark: "Dark" };
function Dr() {
  const { theme: e } = ie(), t = U(), n = nt(e, () => e.chosen);
  return /* @__PURE__ */ s("span", { class: "theme", children: [
    /* @__PURE__ */ s("label", { for: t, children: "Theme" }),
    /* @__PURE__ */ s("select", { id: t, value: n, onChange: (l) => e.choose(l.currentTarget.value), children: Lr.map((l) => /* @__PURE__ */ s("option", { value: l, children: lm[l] }, l)) })
  ] });
}
function sm({ about: e }) {
  return /* @__PURE__ */ s("header", { class: "top", children: [
    /* @__PURE__ */ s("div", { class: "title", children: [
      /* @__PURE__ */ s(xr, {}),
      /* @__PURE__ */ s("span", { class: "file", title: e.name, children: e.name }),
      /* @__PURE__ */ s("span", { class: "rows", children: [
        E(e.n, "row"),
        ", ",
        E(e.k, "class", "classes")
      ] })
    ] }),
    /* @__PURE__ */ s(om, {}),
    /* @__PURE__ */ s(rm, {})
  ] });
}
function rm() {
  const e = $(), t = k((n) => n.room);
  return /* @__PURE__ */ s("nav", { "aria-label": "Rooms", children: vs.map((n) => /* @__PURE__ */ s("button", { type: "button", "aria-current": t === n ? "page" : void 0, onClick: () => e.go(n), children: St[n] }, n)) });
}
function om() {
  const { host: e, start: t } = ie(), { table: n } = te(), [l, r] = _(null), o = () => r(null);
  return /* @__PURE__ */ s("div", { class: "tools", children: [
    /* @__PURE__ */ s(am, {}),
    !e.notebook && /* @__PURE__ */ s(Pd, {}),
    !e.notebook && n !== t?.served && /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => r("columns"), children: "Columns …" }),
    !e.notebook && /* @__PURE__ */ s(im, {}),
    /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: () => r("help"), title: "Keyboard help (?)", children: "Keyboard" }),
    /* @__PURE__ */ s(Dr, {}),
    l === "columns" && /* @__PURE__ */ s(Od, { onClose: o }),
    /* @__PURE__ */ s(Fd, { open: l === "help", onOpen: () => r("help"), onClose: o })
  ] });
}
function im() {
  const e = ie();
  return /* @__PURE__ */ s("button", { type: "button", class: "quiet", onClick: e.close, children: "Close table" });
}
function am() {
  const e = $(), t = nt(e, () => e.canUndo), n = nt(e, () => e.canRedo);
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("button", { type: "button", class: "quiet icon", "aria-label": "Undo", title: "Undo (Ctrl+Z)", disabled: !t, onClick: () => e.undo(), children: /* @__PURE__ */ s(_n, { name: "undo" }) }),
    /* @__PURE__ */ s("button", { type: "button", class: "quiet icon", "aria-label": "Redo", title: "Redo (Ctrl+Shift+Z)", disabled: !n, onClick: () => e.redo(), children: /* @__PURE__ */ s(_n, { name: "redo" }) })
  ] });
}
const cm = 3e4;
function um({ children: e }) {
  const t = te(), n = ie(), l = nt(t, () => t.trouble?.kind ?? null);
  return P(() => {
    const r = setInterval(() => void t.alive(), cm), o = () => document.visibilityState === "visible" && void t.alive();
    return document.addEventListener("visibilitychange", o), () => {
      clearInterval(r), document.removeEventListener("visibilitychange", o);
    };
  }, [t]), l === "gone" ? /* @__PURE__ */ s("main", { class: "lonely", children: [
    /* @__PURE__ */ s("h1", { children: "This table is closed" }),
    /* @__PURE__ */ s("p", { children: "The server no longer has it: it was closed, nobody asked for it for a while, or the server was started anew. Open the file again to go on." }),
    /* @__PURE__ */ s("button", { type: "button", class: "primary", onClick: n.close, children: "Back to the start" })
  ] }) : /* @__PURE__ */ s(x, { children: [
    l === "offline" && /* @__PURE__ */ s("div", { class: "offline", role: "alert", children: [
      /* @__PURE__ */ s("span", { children: "The server does not answer. Is plumbline serve still running?" }),
      /* @__PURE__ */ s("button", { type: "button", onClick: () => void t.alive(), children: "Try again" })
    ] }),
    e
  ] });
}
const Fr = [".csv", ".tsv", ".parquet", ".arrow", ".feather"], dm = "CSV, TSV, Parquet and Arrow (Feather) files";
function hm(e, t) {
  const n = e.name.toLowerCase();
  if (!Fr.some((l) => n.endsWith(l))) {
    const l = /\.(pkl|pickle|joblib)$/.test(n) ? " Reading a pickle would run what is inside it; save the table as Parquet." : "";
    return { kind: "input", message: `${e.name} is not a file that can be opened here: ${dm} can.${l}` };
  }
  return e.size === 0 ? { kind: "input", message: `${e.name} is empty.` } : t !== void 0 && e.size > t ? { kind: "limit", message: `${e.name} has ${wn(e.size)}; this server takes files of at most ${wn(t)}. Start it on this machine with the file: plumbline serve FILE.` } : null;
}
function wn(e) {
  const t = ["bytes", "KB", "MB", "GB"], n = e < 1 ? 0 : Math.min(Math.floor(Math.log2(e) / 10), t.length - 1), l = e / 1024 ** n;
  return `${l >= 100 || n === 0 ? Math.round(l) : Number(l.toPrecision(3))} ${t[n]}`;
}
function fm({ onFile: e, limits: t }) {
  const n = U(), [l, r] = _(!1), o = N(null), i = (u) => {
    u.preventDefault(), r(!1);
    const d = u.dataTransfer?.files[0];
    d && e(d);
  }, a = (u) => {
    u.preventDefault(), r(!0);
  }, c = () => {
    const u = o.current?.files?.[0];
    u && e(u);
  };
  return /* @__PURE__ */ s("div", { class: l ? "drop over" : "drop", onDragOver: a, onDragLeave: () => r(!1), onDrop: i, children: [
    /* @__PURE__ */ s("label", { for: n, children: "Open a table of predictions" }),
    /* @__PURE__ */ s("input", { ref: o, id: n, type: "file", accept: Fr.join(","), onChange: c }),
    /* @__PURE__ */ s("small", { children: [
      "Choose a file or drop it here: CSV, TSV, Parquet or Arrow (Feather)",
      mm(t),
      "."
    ] })
  ] });
}
function mm({ upload_bytes: e, rows: t }) {
  const n = e === void 0 ? [] : [wn(e)], l = t === void 0 ? [] : [`${O(t)} rows`], r = [...n, ...l];
  return r.length ? `, at most ${r.join(" and ")}` : "";
}
function pm({ examples: e, busy: t, onFailure: n }) {
  const { host: l, open: r } = ie(), [o, i] = _(null);
  if (!e.length) return null;
  const a = async (c) => {
    i(c);
    try {
      r(await l.example(c));
    } catch (u) {
      i(null), n(u);
    }
  };
  return /* @__PURE__ */ s("section", { class: "stack", "aria-labelledby": "examples", children: [
    /* @__PURE__ */ s("h2", { id: "examples", children: "Or look around with an example" }),
    /* @__PURE__ */ s("ul", { class: "cards", children: e.map(({ name: c, title: u, text: d }) => /* @__PURE__ */ s("li", { children: /* @__PURE__ */ s("button", { type: "button", disabled: t || o !== null, onClick: () => a(c), children: [
      /* @__PURE__ */ s("strong", { children: o === c ? `Opening ${u} …` : u }),
      /* @__PURE__ */ s("span", { children: d })
    ] }) }, c)) })
  ] });
}
function gm({ name: e, share: t, cancel: n }) {
  const l = t !== null && t >= 1 ? `Reading ${e} …` : `Sending ${e} …`;
  return /* @__PURE__ */ s("div", { class: "drop sending", children: [
    /* @__PURE__ */ s("span", { role: "status", children: l }),
    /* @__PURE__ */ s("progress", { "aria-label": l, ...t === null || t >= 1 ? {} : { value: t, max: 1 } }),
    /* @__PURE__ */ s("div", { class: "row", children: [
      t !== null && t < 1 && /* @__PURE__ */ s("span", { children: re(t) }),
      /* @__PURE__ */ s("button", { type: "button", onClick: n, children: "Cancel" })
    ] })
  ] });
}
function bm({ start: e }) {
  const { host: t, open: n } = ie(), [l, r] = _({ at: "choosing", failure: null }), o = N(null);
  P(() => {
    document.title = "Plumbline";
  }, []), P(() => {
    l.at === "columns" && o.current?.focus();
  }, [l.at]);
  const i = (u) => r({ at: "choosing", failure: se(u) }), a = async (u) => {
    const d = hm(u, e.limits.upload_bytes);
    if (d) return r({ at: "choosing", failure: d });
    const f = new AbortController(), h = (m) => r({ at: "sending", name: u.name, share: m, cancel: () => f.abort() });
    h(null);
    try {
      const m = await t.upload(u, { signal: f.signal, onProgress: (p, g) => h(p / g) });
      r({ at: "columns", name: u.name, table: m });
    } catch (m) {
      i(m);
    }
  }, c = (u) => {
    t.close(u).catch(() => {
    }), r({ at: "choosing", failure: null });
  };
  return /* @__PURE__ */ s("div", { class: "start", children: [
    /* @__PURE__ */ s("header", { class: "row", children: [
      /* @__PURE__ */ s(xr, {}),
      /* @__PURE__ */ s(Dr, {})
    ] }),
    l.at === "columns" ? /* @__PURE__ */ s("main", { class: "stack", children: [
      /* @__PURE__ */ s("h1", { ref: o, tabIndex: -1, children: "What do the columns mean?" }),
      /* @__PURE__ */ s("p", { class: "file", children: l.name }),
      /* @__PURE__ */ s(Tr, { table: l.table, onOpened: (u) => n(l.table, u), onCancel: () => c(l.table) })
    ] }) : /* @__PURE__ */ s("main", { class: "stack", children: [
      /* @__PURE__ */ s("div", { children: [
        /* @__PURE__ */ s("h1", { children: "How good are your classifier’s predictions?" }),
        /* @__PURE__ */ s("p", { class: "lead", children: "Curves, calibration, model comparison and confusion matrices of a table of predictions. Everything stays on this machine." })
      ] }),
      l.at === "sending" ? /* @__PURE__ */ s(gm, { ...l }) : /* @__PURE__ */ s(fm, { onFile: a, limits: e.limits }),
      l.at === "choosing" && l.failure && /* @__PURE__ */ s(Z, { failure: l.failure }),
      e.served !== null && /* @__PURE__ */ s("div", { class: "row", children: /* @__PURE__ */ s("button", { type: "button", onClick: () => n(e.served), children: "Open the table this server was started with" }) }),
      /* @__PURE__ */ s(pm, { examples: e.examples, busy: l.at === "sending", onFailure: i }),
      /* @__PURE__ */ s(vm, {})
    ] })
  ] });
}
function vm() {
  return /* @__PURE__ */ s("details", { class: "panel", children: [
    /* @__PURE__ */ s("summary", { children: "What must the table hold?" }),
    /* @__PURE__ */ s("p", { children: [
      "One row is one example: its true class, and the predicted probability of every class (of one is enough where there are two). Columns named ",
      /* @__PURE__ */ s("code", { children: "actual" }),
      " and ",
      /* @__PURE__ */ s("code", { children: "p:CLASS" }),
      " are understood at once; others are guessed, and you can correct the guess. Columns for model, fold and weight may be there. All others are attributes, to filter by and to use in formulas."
    ] }),
    /* @__PURE__ */ s("pre", { class: "sample", children: `actual,p:no,p:yes,age
no,0.82,0.18,34
yes,0.31,0.69,51` })
  ] });
}
function ym({ host: e, store: t, theme: n }) {
  const l = Y(() => new ai(t), [t]);
  return /* @__PURE__ */ s(ys.Provider, { value: t, children: /* @__PURE__ */ s(As.Provider, { value: l, children: /* @__PURE__ */ s(_m, { host: e, theme: n }) }) });
}
function _m({ host: e, theme: t }) {
  const n = $(), l = k((m) => m.table), [r, o] = _(null), [i, a] = _(null), [c, u] = _(0), d = N(/* @__PURE__ */ new Map()), f = () => {
    a(null), e.start().then((m) => {
      o(m), m.served && n.state.table === null && n.replace({ ...n.state, table: m.served });
    }, (m) => a(se(m)));
  };
  P(f, [e, n]);
  const h = Y(() => ({ host: e, theme: t, start: r, open: (g, b) => {
    b && d.current.set(g, b), n.open(g), u((v) => v + 1);
  }, close: () => {
    const g = n.state.table;
    n.open(null), g !== null && g !== r?.served && e.close(g).catch(() => {
    });
  }, roles: (g) => d.current.get(g) ?? null }), [e, t, r, n]);
  return /* @__PURE__ */ s($r.Provider, { value: h, children: l !== null ? /* @__PURE__ */ s(wm, { host: e, table: l }, `${l} ${c}`) : i ? /* @__PURE__ */ s("main", { class: "lonely", children: [
    /* @__PURE__ */ s("h1", { children: "Plumbline" }),
    /* @__PURE__ */ s(Z, { failure: i, retry: f })
  ] }) : r === null ? /* @__PURE__ */ s("main", { class: "lonely", children: /* @__PURE__ */ s(Nn, { what: "Looking for the server" }) }) : /* @__PURE__ */ s(bm, { start: r }) });
}
function wm({ host: e, table: t }) {
  const n = Y(() => new to(e, t), [e, t]);
  return /* @__PURE__ */ s(bs.Provider, { value: n, children: [
    !e.notebook && /* @__PURE__ */ s(Bu, { table: t }),
    /* @__PURE__ */ s(um, { children: /* @__PURE__ */ s(km, {}) })
  ] });
}
function km() {
  const e = A({ kind: "about" });
  return e.answer !== null ? /* @__PURE__ */ s(xm, { about: e.answer }) : /* @__PURE__ */ s("main", { class: "lonely", children: /* @__PURE__ */ s(I, { of: e, what: "Reading the table", children: () => null }) });
}
function xm({ about: e }) {
  const t = $();
  return /* @__PURE__ */ s(x, { children: [
    /* @__PURE__ */ s("a", { class: "skip button", href: "#content", onClick: $m, children: "Skip to the charts" }),
    /* @__PURE__ */ s(sm, { about: e }),
    /* @__PURE__ */ s("div", { class: "columns", children: [
      /* @__PURE__ */ s(Bn, { title: "The data panel", onReset: () => t.edit("data", ce.data), children: /* @__PURE__ */ s(ud, { about: e }) }),
      /* @__PURE__ */ s(Sm, { about: e })
    ] })
  ] });
}
function $m(e) {
  e.preventDefault(), e.currentTarget.closest(".plumbline")?.querySelector("#content")?.focus();
}
function Sm({ about: e }) {
  const t = $(), { host: n } = ie(), l = k((i) => i.room);
  P(() => {
    n.notebook || (document.title = `${St[l]} – ${e.name} – Plumbline`);
  }, [l, e.name, n]);
  const r = Zf[l], o = () => t.replace({ ...ce, table: t.state.table, room: l, board: t.state.board });
  return /* @__PURE__ */ s("main", { id: "content", tabIndex: -1, "aria-label": St[l], children: /* @__PURE__ */ s(Bn, { title: St[l], onReset: o, children: /* @__PURE__ */ s(r, { about: e }) }, l) });
}
function qr(e) {
  const t = new DataView(e).getUint32(0, !0), n = JSON.parse(new TextDecoder().decode(new Uint8Array(e, 4, t))), l = 4 + t, r = n.arrays.map(
    ([o, i, a]) => o === "u1" ? new Uint8Array(e, l + i, a) : new Float64Array(e, l + i, a)
  );
  return kn(n.answer, r);
}
function kn(e, t) {
  if (Array.isArray(e)) return e.map((l) => kn(l, t));
  if (e === null || typeof e != "object") return e;
  const n = e;
  return "$array" in n ? t[n.$array] : Object.fromEntries(Object.entries(n).map(([l, r]) => [l, kn(r, t)]));
}
const Et = {
  kind: "offline",
  message: "The server does not answer. Is `plumbline serve` still running?"
}, Cm = 2, Tm = {
  notebook: !1,
  start: async () => await De("api/start"),
  upload: async (e, t) => (await Nm(`api/tables?${new URLSearchParams({ name: e.name })}`, e, t)).table,
  columns: async (e) => await De(`api/tables/${e}/columns`),
  open: async (e, t) => {
    await De(`api/tables/${e}/open`, { method: "POST", body: JSON.stringify(t) });
  },
  example: async (e) => (await De(`api/examples/${encodeURIComponent(e)}`, { method: "POST" })).table,
  ask: (e, t, n) => t.thumb === !0 ? Mm(() => Zl(e, t, n), n) : Zl(e, t, n),
  alive: async (e) => {
    await De(`api/tables/${e}/alive`, { method: "POST" });
  },
  close: async (e) => {
    await De(`api/tables/${e}`, { method: "DELETE", keepalive: !0 });
  }
};
let ln = 0;
const Yl = [];
async function Mm(e, t) {
  ln >= Cm ? await new Promise((n) => Yl.push(n)) : ln += 1;
  try {
    return t?.signal?.throwIfAborted(), await e();
  } finally {
    const n = Yl.shift();
    n ? n() : ln -= 1;
  }
}
const Am = (e) => e?.signal ? { signal: e.signal } : {};
async function jr(e, t) {
  try {
    return await fetch(e, t);
  } catch (n) {
    throw n instanceof DOMException && n.name === "AbortError" ? n : new le(Et);
  }
}
async function De(e, t) {
  const l = await (await jr(e, t)).json();
  if (l.error) throw new le(l.error);
  return l;
}
function Nm(e, t, n) {
  return new Promise((l, r) => {
    const o = new XMLHttpRequest(), i = () => o.abort();
    o.open("POST", e), o.responseType = "text", o.upload.onprogress = (a) => a.lengthComputable && n?.onProgress?.(a.loaded, a.total), o.onerror = () => r(new le(Et)), o.onabort = () => r(new DOMException("aborted", "AbortError")), o.onload = () => {
      const a = Om(o.responseText);
      a?.error ? r(new le(a.error)) : a === null || o.status >= 400 ? r(new le(Et)) : l(a);
    }, n?.signal?.addEventListener("abort", i, { once: !0 }), o.onloadend = () => n?.signal?.removeEventListener("abort", i), o.send(t);
  });
}
function Om(e) {
  try {
    return JSON.parse(e);
  } catch {
    return null;
  }
}
async function Zl(e, t, n) {
  const l = await jr(`api/tables/${e}/ask`, {
    method: "POST",
    body: JSON.stringify(t),
    headers: { "Content-Type": "application/json" },
    ...Am(n)
  });
  if (!l.ok) throw new le((await l.json()).error);
  const r = l.body.getReader();
  let o = [], i = 0, a = et;
  for (; ; ) {
    const { done: c, value: u } = await r.read();
    if (c) throw new le(Et);
    if (o.push(u), i += u.length, i < a) continue;
    let d = Em(o, i);
    for (a = es(d); d.length >= a; a = es(d)) {
      const f = String.fromCharCode(d[0]), h = d.slice(et, a);
      if (d = d.subarray(a), f === "A") return qr(h.buffer);
      const m = JSON.parse(new TextDecoder().decode(h));
      if (f === "E") throw new le(m);
      n?.onProgress?.(m.done, m.total);
    }
    o = [d], i = d.length;
  }
}
const et = 5, es = (e) => e.length < et ? et : et + new DataView(e.buffer, e.byteOffset).getUint32(1, !0);
function Em(e, t) {
  const n = new Uint8Array(t);
  let l = 0;
  for (const r of e)
    n.set(r, l), l += r.length;
  return n;
}
const Pm = "notebook", vt = () => {
  throw new le({ kind: "gone", message: "This workbench shows the table of its cell; run the cell with another one." });
};
let Rm = 0;
function Lm(e) {
  const t = `${++Rm} ${Math.random().toString(36).slice(2)}`;
  let n = 0;
  return {
    notebook: !0,
    start: async () => ({ served: Pm, examples: [], limits: {} }),
    upload: async () => vt(),
    columns: async () => vt(),
    open: async () => vt(),
    example: async () => vt(),
    ask: (l, r, o) => Im(e, `${t} ${++n}`, r, o),
    alive: async () => {
    },
    // it lives as long as its kernel
    close: async () => {
    }
  };
}
function Im(e, t, n, { signal: l, onProgress: r } = {}) {
  return new Promise((o, i) => {
    if (l?.aborted) return i(l.reason);
    const a = (d, f) => {
      const h = d;
      if (h?.id === t) {
        if (h.progress) return r?.(h.progress.done, h.progress.total);
        u(), h.failure ? i(new le(h.failure)) : o(qr(Dm(f[0])));
      }
    }, c = () => {
      u(), e.send({ id: t, cancel: !0 }), i(l.reason);
    }, u = () => {
      e.off("msg:custom", a), l?.removeEventListener("abort", c);
    };
    e.on("msg:custom", a), l?.addEventListener("abort", c, { once: !0 }), e.send({ id: t, question: n });
  });
}
function Dm(e) {
  return e instanceof ArrayBuffer ? e.slice(0) : new Uint8Array(e.buffer, e.byteOffset, e.byteLength).slice().buffer;
}
const Fm = 150;
function Br(e, t, n) {
  const l = new tm(e), r = /* @__PURE__ */ s(ym, { host: t, store: n, theme: l });
  return t.notebook && jm(r), Xn(r, e), () => {
    l.stop(), Xn(null, e);
  };
}
function qm(e) {
  let t;
  e.subscribe(() => {
    clearTimeout(t), t = setTimeout(() => history.replaceState(null, "", Ft(e.state) || location.pathname), Fm);
  }), window.addEventListener("hashchange", () => {
    clearTimeout(t);
    const n = qt(location.hash);
    e.replace({ ...n, table: n.table ?? e.state.table, board: e.state.board });
  });
}
function jm(e) {
  e.__m = [Math.floor(Math.random() * 1e9), 0];
}
function Bm({ model: e, el: t }) {
  const n = document.createElement("div");
  n.className = "plumbline widget", n.dataset.lmSuppressShortcuts = "true";
  const l = () => n.style.height = `${Number(e.get("height")) || 720}px`;
  l(), e.on("change:height", l), n.addEventListener("keydown", (o) => o.stopPropagation()), t.append(n);
  const r = Br(n, Lm(e), new An());
  return () => {
    e.off("change:height", l), r(), n.remove();
  };
}
const Wm = { render: Bm }, ts = document.getElementById("workbench");
if (ts) {
  const e = new An(qt(location.hash));
  qm(e), Br(ts, Tm, e);
}
export {
  Wm as default,
  Br as mount
};
