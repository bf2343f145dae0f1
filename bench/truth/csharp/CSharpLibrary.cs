// The table of what the linker knows of .NET's library (index/lang/library/csharp.txt), from reference
// assemblies, by Roslyn:  mono CSharpLibrary.exe DIR... > csharp.txt
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

static class CSharpLibrary {
  static readonly HashSet<string> spaces = new HashSet<string>((
    "System System.Collections System.Collections.Concurrent System.Collections.Generic System.Collections.ObjectModel System.Collections.Specialized System.ComponentModel " +
    "System.Data System.Data.Common System.Diagnostics System.Dynamic System.Globalization System.IO System.IO.Compression System.Linq System.Linq.Expressions System.Net " +
    "System.Net.Http System.Net.Http.Headers System.Reflection System.Reflection.Emit System.Runtime.CompilerServices " +
    "System.Runtime.ExceptionServices System.Runtime.Serialization System.Text System.Text.RegularExpressions " +
    "System.Threading System.Threading.Tasks System.Xml System.Xml.Linq System.Xml.Serialization").Split(' '));
  static readonly Dictionary<SpecialType, string> words = new Dictionary<SpecialType, string> {
    { SpecialType.System_Object, "object" }, { SpecialType.System_String, "string" }, { SpecialType.System_Boolean, "bool" }, { SpecialType.System_Char, "char" },
    { SpecialType.System_SByte, "sbyte" }, { SpecialType.System_Byte, "byte" }, { SpecialType.System_Int16, "short" }, { SpecialType.System_UInt16, "ushort" },
    { SpecialType.System_Int32, "int" }, { SpecialType.System_UInt32, "uint" }, { SpecialType.System_Int64, "long" }, { SpecialType.System_UInt64, "ulong" },
    { SpecialType.System_Single, "float" }, { SpecialType.System_Double, "double" }, { SpecialType.System_Decimal, "decimal" } };

  static void Main(string[] dirs) {
    var refs = dirs.SelectMany(d => Directory.GetFiles(d, "*.dll")).Select(f => (MetadataReference)MetadataReference.CreateFromFile(f));
    var all = new SortedDictionary<string, SortedDictionary<string, Entry>>(StringComparer.Ordinal);
    Walk(CSharpCompilation.Create("x", null, refs).GlobalNamespace, all);
    foreach (var s in all) {
      Console.WriteLine("= " + s.Key);
      foreach (var e in s.Value) {
        var line = e.Key + (e.Value.bases.Count > 0 ? " < " + string.Join(" ", e.Value.bases) : "");
        var by = new SortedDictionary<string, List<string>>(StringComparer.Ordinal);
        foreach (var m in e.Value.results)
          if (m.Value != null || m.Key[0] != '.') {
            List<string> l; var r = m.Value == null ? "?" : m.Value; if (!by.TryGetValue(r, out l)) by[r] = l = new List<string>();
            l.Add(m.Key);
          }
        foreach (var g in by) line += "; " + g.Key + " " + string.Join(" ", g.Value);
        Console.WriteLine(line);
      }
    }
  }

  class Entry {
    public List<string> bases = new List<string>();
    public SortedDictionary<string, string> results = new SortedDictionary<string, string>(StringComparer.Ordinal);
    public void Add(string name, string type) {
      string old;
      if (results.TryGetValue(name, out old) && old != type) type = null; // of several, none
      results[name] = type;
    }
  }

  static void Walk(INamespaceSymbol n, SortedDictionary<string, SortedDictionary<string, Entry>> all) {
    foreach (var m in n.GetNamespaceMembers()) Walk(m, all);
    var name = n.ToDisplayString();
    if (!spaces.Contains(name)) return;
    var seen = new SortedDictionary<string, Entry>(StringComparer.Ordinal);
    // of types of one name the one with type parameters is the one that programs use
    foreach (var t in n.GetTypeMembers().OrderByDescending(t => t.Arity)) Type(t, "", seen);
    all[name] = seen;
  }

  static void Type(INamedTypeSymbol t, string outer, SortedDictionary<string, Entry> seen) {
    if (t.DeclaredAccessibility != Accessibility.Public && t.DeclaredAccessibility != Accessibility.Protected) return;
    string word; var name = outer + (words.TryGetValue(t.SpecialType, out word) ? word : t.Name);
    Entry e; var more = seen.TryGetValue(name, out e);
    if (!more) seen[name] = e = new Entry();
    var bases = new List<ITypeSymbol>(t.Interfaces);
    if (t.BaseType != null && t.BaseType.SpecialType != SpecialType.System_Object) bases.Insert(0, t.BaseType);
    foreach (var b in bases) { var s = b.Name; if (s != t.Name && s[0] != '_' && !e.bases.Contains(s) && b.DeclaredAccessibility == Accessibility.Public) e.bases.Add(s); }
    if (t.TypeKind == TypeKind.Delegate) return;
    var had = new HashSet<string>(e.results.Keys);
    foreach (var m in t.GetMembers()) {
      if (m.DeclaredAccessibility != Accessibility.Public && m.DeclaredAccessibility != Accessibility.Protected || had.Contains(m.Name) || had.Contains("." + m.Name)) continue;
      var me = m as IMethodSymbol; var p = m as IPropertySymbol; var f = m as IFieldSymbol;
      if (me != null && me.IsOverride && me.Parameters.Length < 2 && (m.Name == "ToString" || m.Name == "GetHashCode" || m.Name == "Equals")) continue;
      if (me != null && me.MethodKind == MethodKind.Ordinary) e.Add(m.Name, Text(me.ReturnType, t, false));
      else if (p != null && p.Parameters.Length == 0) e.Add("." + m.Name, Text(p.Type, t, false));
      else if (f != null && t.TypeKind != TypeKind.Enum) e.Add("." + m.Name, Text(f.Type, t, false));
      else if (m is INamedTypeSymbol && ((INamedTypeSymbol)m).Arity == 0) Type((INamedTypeSymbol)m, name + ".", seen);
    }
  }

  // A result as the table spells it: $0 is the first type argument; null where it says nothing.
  static string Text(ITypeSymbol t, INamedTypeSymbol of, bool inside) {
    string word;
    if (t.SpecialType == SpecialType.System_Void) return "void";
    if (words.TryGetValue(t.SpecialType, out word)) return word;
    var a = t as IArrayTypeSymbol;
    if (a != null) { var e = Text(a.ElementType, of, inside); return e == null ? null : e + "[]"; }
    var p = t as ITypeParameterSymbol;
    if (p != null) return p.TypeParameterKind == TypeParameterKind.Type && SymbolEqual(p.ContainingSymbol, of) ? "$" + p.Ordinal : null;
    var n = t as INamedTypeSymbol;
    if (n == null || n.TypeKind == TypeKind.Delegate) return null;
    var name = n.ContainingType != null ? n.ContainingType.Name + "." + n.Name : n.Name;
    var given = n.Arity == 0 && n.ContainingType != null ? n.ContainingType.TypeArguments : n.TypeArguments;
    if (given.Length == 0) return name;
    if (n.Name.StartsWith("Key") && given.Length == 2 && n.Arity == 0) given = given.RemoveAt(1); // what it holds is the key
    var args = given.Select(x => Text(x, of, true)).ToArray();
    if (args.Any(x => x == null)) return inside ? null : "~" + name;
    return name + "<" + string.Join(",", args) + ">";
  }

  static bool SymbolEqual(ISymbol a, ISymbol b) { return a.OriginalDefinition.Equals(b.OriginalDefinition); }
}
